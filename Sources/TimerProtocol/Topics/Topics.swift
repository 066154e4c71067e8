/// Every topic of a node. The names are a contract, on which others build.
public struct Topics: Hashable, Sendable {
    /// The first level, or levels, of each topic.
    public let prefix: String
    /// The node's id.
    public let node: String
    /// The groups of nodes whose commands the node obeys too.
    public let groups: [String]

    /// The names of what the node publishes, made once and not for each message.
    private let names: [TopicKind: String]
    /// The command topics that the node obeys; the first one is its own.
    private let recipients: [Recipient]

    /// The topics of a node.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - node: the node's id.
    ///   - groups: the groups of nodes that the node is configured into.
    public init(prefix: String, node: String, groups: [String] = []) {
        self.prefix = prefix
        self.node = node
        self.groups = groups
        names = Dictionary(
            uniqueKeysWithValues: TopicKind.allCases.map { ($0, $0.name(prefix: prefix, node: node)) })
        let recipients = [CommandRecipient.node(node), .all] + groups.map(CommandRecipient.group)
        self.recipients = recipients.map { Recipient(topic: $0.topic(prefix: prefix), scope: $0.scope) }
    }

    /// The name of the topic that a node publishes something on.
    public subscript(kind: TopicKind) -> String { names[kind] ?? kind.name(prefix: prefix, node: node) }

    /// The kind of one of the node's own retained topics; nil for any other topic.
    package func retainedKind(of topic: String) -> TopicKind? {
        guard let found = PublishedTopic(topic, prefix: prefix), found.node == node, found.kind.isRetained else {
            return nil
        }
        return found.kind
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
    ///
    /// The verb is whatever the last level says, or nil where the payload names it.
    public func command(from topic: String) -> (scope: Scope, verb: String?)? {
        for recipient in recipients where topic.utf8.starts(with: recipient.topic.utf8) {
            let rest = topic.utf8.dropFirst(recipient.topic.utf8.count)
            if rest.isEmpty { return (recipient.scope, nil) }
            if rest.first == UInt8(ascii: "/") { return (recipient.scope, String(Substring(rest.dropFirst()))) }
        }
        return nil
    }

    /// A command's topic as a message shows it: with an excerpt of the verb, which anybody may have made up.
    package func excerpt(ofCommand topic: String) -> String {
        guard let verb = command(from: topic)?.verb else { return topic }
        return String(Substring(topic.utf8.dropLast(verb.utf8.count))) + verb.excerpt
    }
}

extension Topics {
    /// Why the node sends no answer to a topic that the sender of a command has chosen; nil where it does.
    ///
    /// The text completes a sentence that ends with "as". A node may write topics that the sender may not, above all its
    /// own: of these it answers on `PREFIX/ID/response/…` only. A topic with a `$` may belong to the broker.
    package func objection(toResponseTopic topic: String) -> String? {
        let bytes = topic.utf8
        if bytes.isEmpty { return "it is empty" }
        guard bytes.count <= TopicFilter.maximumLength else {
            return "it has \(bytes.count) bytes, more than \(TopicFilter.maximumLength)"
        }
        if bytes.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) { return "it has a wildcard" }
        if bytes.contains(UInt8(ascii: "$")) { return "it has a $" }
        if topic.unicodeScalars.contains(where: \.isControl) { return "it has a control character" }
        // MQTT compares bytes.
        let isOurs = bytes.elementsEqual(prefix.utf8) || bytes.starts(with: "\(prefix)/".utf8)
        let answers = "\(self[.response])/".utf8
        let isAnswers = bytes.starts(with: answers) && bytes.count > answers.count
        return isOurs && !isAnswers ? "it is under the node's prefix" : nil
    }
}
