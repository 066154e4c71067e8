/// Every topic of a node. The names are a contract: `docs/topics.md` is what others build on.
public struct Topics: Hashable, Sendable {
    /// The first level, or levels, of each topic.
    public let prefix: String
    /// The node's id.
    public let node: String
    /// The groups whose commands it obeys too.
    public let groups: [String]

    /// Retained: `online` or `offline`.
    public let availability: String
    /// Retained: the name of the mode.
    public let mode: String
    /// The seconds left, on each second.
    public let tick: String
    /// Retained: what the node does, as JSON.
    public let state: String
    /// Retained: the groups, timers and settings, as JSON.
    public let timers: String
    /// What happened, as JSON.
    public let event: String
    /// The answer to each command, as JSON.
    public let response: String
    /// Retained: the node's own condition, as JSON.
    public let health: String
    /// The command topics of those whom the node obeys; its own comes first.
    private let recipients: [Recipient]

    /// The topics of a node, all of them made here and none for each message.
    public init(prefix: String, node: String, groups: [String] = []) {
        self.prefix = prefix
        self.node = node
        self.groups = groups
        availability = "\(prefix)/\(node)/availability"
        mode = "\(prefix)/\(node)/mode"
        tick = "\(prefix)/\(node)/tick"
        state = "\(prefix)/\(node)/state"
        timers = "\(prefix)/\(node)/timers"
        event = "\(prefix)/\(node)/event"
        response = "\(prefix)/\(node)/response"
        health = "\(prefix)/\(node)/health"
        let names = [(node, Scope.node), ("all", .several)] + groups.map { ("@\($0)", .several) }
        recipients = names.map { Recipient(topic: "\(prefix)/\($0)/command", scope: $1) }
    }

    /// The topics of a configuration's node.
    init(_ configuration: NodeConfiguration) {
        self.init(
            prefix: configuration.mqtt?.prefix ?? "timer", node: configuration.node.id,
            groups: configuration.node.groups)
    }

    /// Whom a command is for.
    public enum Scope: Hashable, Sendable {
        /// This node alone.
        case node
        /// Every node, or every node of a group.
        case several
    }

    private struct Recipient: Hashable, Sendable {
        let topic: String
        let scope: Scope
    }

    /// The topic filters of all commands.
    public var commandFilters: [String] { recipients.flatMap { [$0.topic + "/+", $0.topic] } }

    /// Whom a command topic is for, and the verb that it ends with; nil for any other topic.
    func command(from topic: String) -> (scope: Scope, verb: String?)? {
        for recipient in recipients where topic.utf8.starts(with: recipient.topic.utf8) {
            let rest = topic.utf8.dropFirst(recipient.topic.utf8.count)
            if rest.isEmpty { return (recipient.scope, nil) }
            if rest.first == UInt8(ascii: "/") { return (recipient.scope, String(Substring(rest.dropFirst()))) }
        }
        return nil
    }

    /// A command's topic as a message shows it: of the verb, which anybody may have made up, no more than helps.
    func excerpt(ofCommand topic: String) -> String {
        guard let verb = command(from: topic)?.verb else { return topic }
        return String(Substring(topic.utf8.dropLast(verb.utf8.count))) + verb.excerpt
    }
}
