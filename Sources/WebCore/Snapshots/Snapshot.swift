package import TimerEngine
package import TimerProtocol

/// Everything that the server knows about all nodes at one moment, encoded, and the order of the changes. Each change
/// has a number. A stream only needs the number of the last change that it has sent to find what it still has to send,
/// so no stream needs a queue.
package struct Snapshot: Sendable {
    /// The data about one node.
    package struct Node: Sendable {
        /// The parts; those that were removed are null.
        package internal(set) var parts: [NodePart: EncodedPart] = [:]
        /// What is not for pages.
        var metrics = NodeMetrics()

        /// Whether the node, or the broker on its behalf, has published that it is offline.
        package var isOffline: Bool {
            parts[.availability]?.full == JSON.string(Availability.offline.rawValue).bytes
        }
    }

    /// An event that a node has published. Unlike state, an event is sent only once.
    package struct Occurrence: Sendable {
        let node: String
        let part: EncodedPart
    }

    /// How many recent occurrences and how many removed nodes to keep. A stream that is further behind misses older
    /// occurrences; if it would miss the removal of a node, it receives a full snapshot.
    static let keptOccurrences = 64
    static let keptRemovals = 256

    /// The number of the newest change; 0 before the first one.
    package internal(set) var change = 0
    package internal(set) var nodes: [String: Node] = [:]
    package internal(set) var broker = EncodedPart(BrokerReport().json())
    package internal(set) var isConnected = false
    /// The newest change that streams cannot follow step by step: a stream that is behind it receives a full snapshot.
    var resync = 0
    var occurrences: [Occurrence] = []
    /// The nodes that were removed, each with the number of that change.
    var gone: [(id: String, change: Int)] = []

    package init() {}
}

/// The status of the connection to the broker, for pages.
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
        try visitor.field("connected", &isConnected, "Whether the server is connected to the broker.")
        try visitor.field("address", &address, .note, "The URL of the broker, without credentials.")
        try visitor.field("fault", &fault, .sentence, "Why it is not connected.")
    }
}

extension Snapshot {
    /// Everything that an audience may see, for the API and for the first event of a stream.
    /// - Parameter now: the server's current instant. Pages use it to count until they have measured the server's
    ///   clock.
    package func everything(for audience: Audience, site: SiteReport, now: Instant) -> [UInt8] {
        Self.beginning(at: now) + lasting(for: audience, site: site)
    }

    /// The beginning of ``everything(for:site:now:)``, which is different each time.
    package static func beginning(at now: Instant) -> [UInt8] {
        Array("{\"now\":\(now.milliseconds),".utf8)
    }

    /// The rest of ``everything(for:site:now:)``, which is the same for an entire audience.
    package func lasting(for audience: Audience, site: SiteReport) -> [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.object { writer in
            writer.member("boot", site.boot)
            writer.key("broker")
            writer.encoded(broker.full)
            writer.member("site") { $0.fields(of: site) }
            writer.member("role", audience.role)
            writer.member("proof", audience.proof.rawValue)
            writer.member("nodes") { writer in
                for (id, node) in nodes.sorted(by: { $0.key < $1.key }) where audience.hears(of: id) {
                    writer.key(escaping: id)
                    writer.object { node.write(id, for: audience.role, since: 0, to: &$0) }
                }
            }
        }
        return Array(writer.bytes.dropFirst())
    }

    /// One node in the format of the API; nil if the audience may not see it.
    package func node(_ id: String, for audience: Audience) -> [UInt8]? {
        guard audience.hears(of: id), let node = nodes[id] else { return nil }
        var writer = JSONWriter(capacity: 4096)
        writer.object { node.write(id, for: audience.role, since: 0, to: &$0) }
        return writer.bytes
    }

    /// Whether a stream that has sent everything up to a change can continue from there.
    package func canFollow(_ position: Int) -> Bool { position >= resync }

    /// The events for an audience that has received everything up to a change; empty if no later change concerns the
    /// audience.
    package func events(since position: StreamBacklog.Position, for audience: Audience) -> [UInt8] {
        let (position, occurrence) = (position.change, position.occurrence)
        var frame = EventFrame()
        if broker.change > position { frame.add("broker", broker.full) }
        for (id, change) in gone where change > position && audience.hears(of: id) {
            frame.add("gone") { $0.member("id", id) }
        }
        for (id, node) in nodes.sorted(by: { $0.key < $1.key }) where audience.hears(of: id) {
            guard node.hasChanges(since: position, for: audience.role) else { continue }
            frame.add("node") { node.write(id, for: audience.role, since: position, to: &$0) }
        }
        for event in occurrences where event.part.change > occurrence && audience.hears(of: event.node) {
            guard let bytes = event.part.bytes(for: audience.role) else { continue }
            frame.add("event") { writer in
                writer.member("id", event.node)
                writer.key("event")
                writer.encoded(bytes)
            }
        }
        return frame.bytes
    }
}

extension Snapshot.Node {
    /// Whether a part that the role receives has changed.
    fileprivate func hasChanges(since position: Int, for role: Role) -> Bool {
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
    /// Visits an instant on the server's clock, in milliseconds with microsecond precision; null for nil.
    package mutating func milliseconds(
        _ key: String, _ instant: inout Instant?, _ about: String
    ) throws(Refusal) {
        var milliseconds = instant.map(\.milliseconds)
        try field(key, &milliseconds, -1e15...1e15, about)
        instant = milliseconds.map { Instant(sinceEpoch: .microseconds(Int(($0 * 1000).rounded()))) }
    }
}

extension Instant {
    /// The milliseconds since the clock's zero, with microsecond precision.
    package var milliseconds: Double {
        let (seconds, attoseconds) = sinceEpoch.components
        return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1000
    }
}

/// A group of clients that receive the same bytes: their role, the nodes that they may see, and the node that they have
/// requested.
package struct Audience: Hashable, Sendable {
    package var role: Role
    package var proof: Identity.Proof
    /// The nodes that exist for these clients; nil for all.
    package var nodes: Set<String>?
    /// The one node that they have requested; nil for all.
    package var node: String?

    package init(
        role: Role, proof: Identity.Proof = .none, nodes: Set<String>? = nil, node: String? = nil
    ) {
        self.role = role
        self.proof = proof
        self.nodes = nodes
        self.node = node
    }

    /// The audience of a client that has requested one node, or all.
    package init(_ identity: Identity, node: String? = nil) {
        self.init(role: identity.role, proof: identity.proof, nodes: identity.nodes, node: node)
    }

    /// Whether these clients receive a node.
    package func hears(of id: String) -> Bool {
        (node.map { $0 == id } ?? true) && (nodes?.contains(id) ?? true)
    }
}
