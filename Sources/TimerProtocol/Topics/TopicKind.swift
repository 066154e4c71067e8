/// What a node publishes, by the last level of the topic's name. The names are a contract.
public enum TopicKind: String, CaseIterable, Hashable, Sendable {
    /// Retained: `online` or `offline`.
    case availability
    /// Retained: the name of the mode.
    case mode
    /// The whole seconds left, on each second.
    case tick
    /// Retained: what the node does, as JSON.
    case state
    /// Retained: the groups, timers and settings, as JSON.
    case timers
    /// What happened, as JSON.
    case event
    /// The answer to each command, as JSON.
    case response
    /// Retained: the node's own condition, as JSON.
    case health
    /// Retained: the newest runs of the report, as JSON.
    case runs
    /// Retained: the message to the speaker, as JSON; empty where there is none.
    case message
    /// Retained: the meetings, as JSON; empty where there is no agenda.
    case agenda

    /// Whether the broker keeps the newest message for later subscribers.
    public var isRetained: Bool {
        switch self {
        case .availability, .mode, .state, .timers, .health, .runs, .message, .agenda: true
        case .tick, .event, .response: false
        }
    }

    /// The topic of one node, such as `timer/lectern/state`.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - node: the node's id; `+` makes a filter for all nodes.
    public func name(prefix: String, node: String) -> String { "\(prefix)/\(node)/\(rawValue)" }
}

/// A topic that a node publishes on: whose it is, and what its payload says.
public struct PublishedTopic: Hashable, Sendable {
    /// The first level, or levels, of the topic.
    public let prefix: String
    /// The node's id.
    public let node: String
    /// What the payload says.
    public let kind: TopicKind

    /// The topic of a node.
    public init(prefix: String, node: String, kind: TopicKind) {
        self.prefix = prefix
        self.node = node
        self.kind = kind
    }

    /// Reads the name of a topic under a prefix; nil for any other topic.
    public init?(_ name: String, prefix: String) {
        // MQTT compares bytes. Two spellings of `é` are different topics, but equal strings.
        guard name.utf8.starts(with: "\(prefix)/".utf8) else { return nil }
        let levels = name.utf8.dropFirst(prefix.utf8.count + 1).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard levels.count == 2, !levels[0].isEmpty, let kind = TopicKind(rawValue: String(Substring(levels[1])))
        else { return nil }
        self.init(prefix: prefix, node: String(Substring(levels[0])), kind: kind)
    }

    /// The name of the topic.
    public var name: String { kind.name(prefix: prefix, node: node) }
}
