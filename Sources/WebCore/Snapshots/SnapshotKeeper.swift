package import TimerClient
internal import TimerEngine
package import TimerProtocol

/// Derives each snapshot from the previous one and from what the node client has received.
package struct SnapshotKeeper: Sendable {
    package private(set) var snapshot = Snapshot()
    /// The counting of each timer, as last sent to streams.
    private var counted: [String: Counting] = [:]
    private var report = BrokerReport()

    /// A difference too small to be visible on a display. A smaller correction is not worth a message.
    private static let tolerance: Duration = .milliseconds(2)

    package init() {}

    /// Applies what the node client has received; returns whether anything changed for pages.
    package mutating func apply(
        _ news: some Sequence<NodeClient.Effect>, of client: NodeClient, _ broker: BrokerReport
    ) -> Bool {
        let before = snapshot.change
        tell(broker)
        for effect in news {
            switch effect {
            case .changed(let id, let kind): update(id, client.nodes[id], NodePart.touched(by: kind))
            case .event(let id, let event): note(event, of: id)
            case .subscribe, .publish, .ask, .response, .ended, .unreadable: break
            }
        }
        return snapshot.change > before
    }

    private mutating func tell(_ new: BrokerReport) {
        guard new != report else { return }
        // After an interruption, changes arrive in any order, and removed nodes are not reported.
        if new.isConnected, !report.isConnected, snapshot.change > 0 { beginAnew() }
        report = new
        snapshot.isConnected = new.isConnected
        snapshot.broker = EncodedPart(new.json())
        snapshot.broker.change = nextChange()
    }

    private mutating func update(_ id: String, _ mirror: NodeMirror?, _ kinds: [NodePart]) {
        guard let mirror else {
            guard snapshot.nodes.removeValue(forKey: id) != nil else { return }
            counted[id] = nil
            snapshot.gone.append((id, nextChange()))
            if snapshot.gone.count > Snapshot.keptRemovals { snapshot.resync = snapshot.gone.removeFirst().change }
            return
        }
        var news: [(NodePart, EncodedPart)] = []
        for kind in kinds {
            if kind == .counting, !countsDifferently(mirror) { continue }
            let known = snapshot.nodes[id]?.parts[kind]
            guard let part = kind.encoded(mirror) ?? known.map({ _ in EncodedPart.null }) else { continue }
            if known.map({ !$0.says(part) }) ?? true { news.append((kind, part)) }
        }
        defer { snapshot.nodes[id]?.metrics = NodeMetrics(mirror) }
        guard !news.isEmpty else { return }
        let change = nextChange()
        for (kind, part) in news {
            var part = part
            part.change = change
            snapshot.nodes[id, default: Snapshot.Node()].parts[kind] = part
        }
    }

    /// Returns whether a timer counts differently from what streams were last sent, and if so records the new values.
    private mutating func countsDifferently(_ mirror: NodeMirror) -> Bool {
        guard let new = mirror.counting else { return counted.removeValue(forKey: mirror.id) != nil }
        if let known = counted[mirror.id], known.isLike(new, within: Self.tolerance) { return false }
        counted[mirror.id] = new
        return true
    }

    private mutating func note(_ event: EventMessage, of id: String) {
        var part = event.encoded
        part.change = nextChange()
        snapshot.occurrences.append(Snapshot.Occurrence(node: id, part: part))
        if snapshot.occurrences.count > Snapshot.keptOccurrences { snapshot.occurrences.removeFirst() }
    }

    /// Makes each stream start again with a full snapshot.
    private mutating func beginAnew() { snapshot.resync = nextChange() }

    private mutating func nextChange() -> Int {
        snapshot.change += 1
        return snapshot.change
    }
}

/// The data about the site that every page receives. It does not change while the server runs.
package struct SiteReport: Sendable {
    /// The id of the boot from which the server's milliseconds count.
    package var boot = ""
    package var publicURL: String?
    package var views: [String: String] = [:]
    package var messages: [String] = []
    package var version = ""
    /// The prefix of the nodes' topics.
    package var prefix = ""

    package init() {}

    package init(boot: String, version: String, prefix: String) {
        (self.boot, self.version, self.prefix) = (boot, version, prefix)
    }
}

extension SiteReport: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field(
            "public_url", &publicURL, .note, "The public address of the site; null if none is configured.")
        try visitor.field("views", &views, .any(.note), "Named sets of a display's options, each a query.")
        try visitor.field("messages", &messages, ListBounds(.name), "Ready-made messages to a speaker.")
        try visitor.field("version", &version, .plain, "The server's version.")
        try visitor.field("prefix", &prefix, .plain, "The prefix of the nodes' topics.")
    }
}
