package import TimerProtocol

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
    package internal(set) var broker = EncodedPart(BrokerReport().json())
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
    package var address: String?
    package var fault: String?

    package init() {}

    package init(isConnected: Bool, address: String?, fault: String? = nil) {
        (self.isConnected, self.address, self.fault) = (isConnected, address, fault)
    }
}

extension BrokerReport: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("connected", &isConnected, "Whether there is a connection.")
        try visitor.field("address", &address, .note, "The URL of the broker, without credentials.")
        try visitor.field("fault", &fault, .sentence, "Why there is no connection.")
    }
}
