internal import TimerProtocol

/// What the server knows of all nodes at one moment, encoded, and in which order it came about.
///
/// Each change has a number. A stream that has sent everything up to a number needs nothing else to find what it still
/// has to send, so that no stream has a queue.
package struct Snapshot: Sendable {
    /// What is known of one node.
    package struct Node: Sendable {
        /// The parts; those that went away are null.
        package internal(set) var parts: [NodePart: EncodedPart] = [:]

        /// Whether the node has told, or the broker for it, that it is not connected.
        package var isOffline: Bool {
            parts[.availability]?.full == JSON.string(Availability.offline.rawValue).bytes
        }
    }

    /// Something that a node reported, which is news only once.
    package struct Occurrence: Sendable {
        let node: String
        let part: EncodedPart
    }

    /// So many of the newest occurrences are kept, and so many of the nodes that went away. A stream that is further
    /// behind misses older occurrences; where it would miss a node that went away, it gets everything anew.
    static let keptOccurrences = 64
    static let keptGone = 256

    /// The number of the newest change; 0 before the first one.
    package internal(set) var change = 0
    package internal(set) var nodes: [String: Node] = [:]
    package internal(set) var broker = EncodedPart(BrokerReport().bytes)
    package internal(set) var isConnected = false
    /// The newest change that streams cannot follow piece by piece: they get everything anew.
    var resync = 0
    var occurrences: [Occurrence] = []
    /// The nodes that went away, with the numbers of those changes.
    var gone: [(id: String, change: Int)] = []

    package init() {}
}

/// What pages are told of the connection to the broker.
package struct BrokerReport: Hashable, Sendable {
    package var isConnected = false
    /// The URL of the broker, without credentials.
    package var address: String?
    /// Why there is no connection.
    package var fault: String?

    package init(isConnected: Bool = false, address: String? = nil, fault: String? = nil) {
        self.isConnected = isConnected
        self.address = address
        self.fault = fault
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("connected", isConnected)
            writer.member("address", address)
            writer.member("fault", fault)
        }
        return writer.bytes
    }
}
