/// Every topic of a node. The names are a contract: `docs/topics.md` is what others build on.
public struct Topics: Hashable, Sendable {
    /// The first level, or levels, of each topic.
    public let prefix: String
    /// The node's id.
    public let node: String
    /// The groups whose commands it obeys too.
    public let groups: [String]

    /// The topics of a node.
    public init(prefix: String, node: String, groups: [String] = []) {
        self.prefix = prefix
        self.node = node
        self.groups = groups
    }

    /// The topics of a configuration's node.
    init(_ configuration: NodeConfiguration) {
        self.init(
            prefix: configuration.mqtt?.prefix ?? "timer", node: configuration.node.id,
            groups: configuration.node.groups)
    }

    /// Retained: `online` or `offline`.
    public var availability: String { "\(prefix)/\(node)/availability" }
    /// Retained: the name of the mode.
    public var mode: String { "\(prefix)/\(node)/mode" }
    /// The seconds left, on each second.
    public var tick: String { "\(prefix)/\(node)/tick" }
    /// Retained: what the node does, as JSON.
    public var state: String { "\(prefix)/\(node)/state" }
    /// Retained: the groups, timers and settings, as JSON.
    public var timers: String { "\(prefix)/\(node)/timers" }
    /// What happened, as JSON.
    public var event: String { "\(prefix)/\(node)/event" }
    /// The answer to each command, as JSON.
    public var response: String { "\(prefix)/\(node)/response" }

    /// Retained: the node's own condition, as JSON.
    public var health: String { "\(prefix)/\(node)/health" }

    /// Whom a command is for.
    public enum Scope: Hashable, Sendable {
        /// This node alone.
        case node
        /// Every node, or every node of a group.
        case several
    }

    /// The topic filters of all commands.
    public var commandFilters: [String] {
        recipients.flatMap { ["\(prefix)/\($0.name)/command/+", "\(prefix)/\($0.name)/command"] }
    }

    /// Whom a command topic is for, and the verb that it ends with; nil for any other topic.
    func command(from topic: String) -> (scope: Scope, verb: String?)? {
        // Bytes, as MQTT compares them: to a String a slash and an accent on it are one character.
        for (name, scope) in recipients {
            let base = "\(prefix)/\(name)/command".utf8
            guard topic.utf8.starts(with: base) else { continue }
            let rest = topic.utf8.dropFirst(base.count)
            if rest.isEmpty { return (scope, nil) }
            if rest.first == UInt8(ascii: "/") { return (scope, String(Substring(rest.dropFirst()))) }
        }
        return nil
    }

    /// A command's topic as a message shows it: of the verb, which anybody may have made up, no more than helps.
    func excerpt(ofCommand topic: String) -> String {
        guard let verb = command(from: topic)?.verb else { return topic }
        return String(Substring(topic.utf8.dropLast(verb.utf8.count))) + verb.excerpt
    }

    private var recipients: [(name: String, scope: Scope)] {
        [(node, .node), ("all", .several)] + groups.map { ("@\($0)", .several) }
    }
}
