package import TimerEngine
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

extension Snapshot {
    /// Everything that an audience may know, as the API and the first event of a stream have it.
    ///
    /// - Parameter now: the server's present instant, by which pages count until they have measured its clock.
    package func everything(for audience: Audience, site: SiteReport, now: Instant) -> [UInt8] {
        Self.beginning(at: now) + lasting(for: audience, site: site)
    }

    /// The beginning of ``everything(for:site:now:)``, which is different each time.
    package static func beginning(at now: Instant) -> [UInt8] {
        Array("{\"now\":\(now.milliseconds),".utf8)
    }

    /// The rest of ``everything(for:site:now:)``, which is the same for all of an audience.
    package func lasting(for audience: Audience, site: SiteReport) -> [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.object { writer in
            writer.member("boot", site.boot)
            writer.key("broker")
            writer.encoded(broker.full)
            writer.member("site") { $0.fields(of: site) }
            writer.member("role", audience.role)
            writer.member("nodes") { writer in
                for (id, node) in nodes.sorted(by: { $0.key < $1.key }) where audience.hears(of: id) {
                    writer.key(escaping: id)
                    writer.object { node.write(id, for: audience.role, since: 0, to: &$0) }
                }
            }
        }
        return Array(writer.bytes.dropFirst())
    }

    /// One node as the API has it; nil where there is none for the audience.
    package func node(_ id: String, for audience: Audience) -> [UInt8]? {
        guard audience.hears(of: id), let node = nodes[id] else { return nil }
        var writer = JSONWriter(capacity: 4096)
        writer.object { node.write(id, for: audience.role, since: 0, to: &$0) }
        return writer.bytes
    }

    /// Whether a stream that has sent everything up to a change can go on from there.
    package func canFollow(_ position: Int) -> Bool { position >= resync }

    /// The events of a stream for an audience that has heard everything up to a change; empty where nothing concerns it.
    package func events(since position: Int, for audience: Audience) -> [UInt8] {
        var frame = EventFrame()
        if broker.change > position { frame.add("broker", broker.full) }
        for (id, change) in gone where change > position && audience.hears(of: id) {
            frame.add("gone") { $0.member("id", id) }
        }
        for (id, node) in nodes.sorted(by: { $0.key < $1.key }) where audience.hears(of: id) {
            guard node.hasNews(since: position, for: audience.role) else { continue }
            frame.add("node") { node.write(id, for: audience.role, since: position, to: &$0) }
        }
        for occurrence in occurrences where occurrence.part.change > position && audience.hears(of: occurrence.node) {
            guard let bytes = occurrence.part.bytes(for: audience.role) else { continue }
            frame.add("event") { writer in
                writer.member("id", occurrence.node)
                writer.key("event")
                writer.encoded(bytes)
            }
        }
        return frame.bytes
    }
}

extension Snapshot.Node {
    /// Whether a part that the role gets has changed.
    fileprivate func hasNews(since position: Int, for role: Role) -> Bool {
        parts.values.contains { $0.change > position && $0.bytes(for: role) != nil }
    }

    /// Writes the id, and the parts that have changed.
    fileprivate func write(_ id: String, for role: Role, since position: Int, to writer: inout JSONWriter) {
        writer.member("id", id)
        for kind in NodePart.allCases {
            guard let part = parts[kind], part.change > position, let bytes = part.bytes(for: role) else { continue }
            writer.key(kind.rawValue)
            writer.encoded(bytes)
        }
    }
}

extension FieldVisitor {
    /// Visits an instant of the server's clock, in milliseconds to the microsecond; null for nil.
    package mutating func milliseconds(
        _ key: String, _ instant: inout Instant?, _ about: String
    ) throws(Refusal) {
        var milliseconds = instant.map(\.milliseconds)
        try field(key, &milliseconds, -1e15...1e15, about)
        instant = milliseconds.map { Instant(sinceEpoch: .microseconds(Int(($0 * 1000).rounded()))) }
    }
}

extension Instant {
    /// The milliseconds since the clock's zero, to the microsecond.
    package var milliseconds: Double {
        let (seconds, attoseconds) = sinceEpoch.components
        return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1000
    }
}

/// Who gets the same bytes: a role, and the nodes that somebody may see or has asked for.
package struct Audience: Hashable, Sendable {
    package var role: Role
    /// The nodes that exist for them; nil for all.
    package var nodes: Set<String>?
    /// The one node that they have asked for; nil for all.
    package var node: String?

    package init(role: Role, nodes: Set<String>? = nil, node: String? = nil) {
        self.role = role
        self.nodes = nodes
        self.node = node
    }

    /// Somebody who has asked for one node, or for all.
    package init(_ identity: Identity, node: String? = nil) {
        self.init(role: identity.role, nodes: identity.nodes, node: node)
    }

    /// Whether they are told of a node.
    package func hears(of id: String) -> Bool {
        (node.map { $0 == id } ?? true) && (nodes?.contains(id) ?? true)
    }
}
