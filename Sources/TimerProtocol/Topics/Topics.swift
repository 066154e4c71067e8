/// All topics for a node. Their names are a stable contract with other programs.
public struct Topics: Hashable, Sendable {
    /// The first level, or levels, of each topic.
    public let prefix: String
    /// The node's id.
    public let node: String
    /// The node groups whose commands the node also carries out.
    public let groups: [String]

    /// The names of the topics that the node publishes on, built once and not for each message.
    private let names: [TopicKind: String]
    /// The command topics that the node listens to; the first one is its own.
    private let recipients: [Recipient]

    /// The topics of a node.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - node: the node's id.
    ///   - groups: the node groups to which the node is configured to belong.
    public init(prefix: String, node: String, groups: [String] = []) {
        self.prefix = prefix
        self.node = node
        self.groups = groups
        names = Dictionary(
            uniqueKeysWithValues: TopicKind.allCases.map { ($0, $0.name(prefix: prefix, node: node)) })
        let recipients = [CommandRecipient.node(node), .all] + groups.map(CommandRecipient.group)
        self.recipients = recipients.map { Recipient(topic: $0.topic(prefix: prefix), scope: $0.scope) }
    }

    /// The name of the topic for a kind of message.
    public subscript(kind: TopicKind) -> String { names[kind] ?? kind.name(prefix: prefix, node: node) }

    /// The kind of one of the node's own retained topics; nil for any other topic.
    package func retainedKind(of topic: String) -> TopicKind? {
        guard let found = PublishedTopic(topic, prefix: prefix), found.node == node, found.kind.isRetained else {
            return nil
        }
        return found.kind
    }

    /// The scope of a command: one node or several.
    public enum Scope: Hashable, Sendable {
        /// This node only.
        case node
        /// Every node, or every node in a group.
        case several
    }

    private struct Recipient: Hashable, Sendable {
        let topic: String
        let scope: Scope
    }

    /// The topic filters of all commands.
    public var commandFilters: [String] { recipients.flatMap { [$0.topic + "/+", $0.topic] } }

    /// Returns the scope of a command topic and the verb that it ends with; nil for any other topic.
    ///
    /// The verb is the last level of the topic, whether or not it is a known verb, or nil if the payload names the
    /// verb.
    public func command(from topic: String) -> (scope: Scope, verb: String?)? {
        for recipient in recipients where topic.utf8.starts(with: recipient.topic.utf8) {
            let rest = topic.utf8.dropFirst(recipient.topic.utf8.count)
            if rest.isEmpty { return (recipient.scope, nil) }
            if rest.first == UInt8(ascii: "/") { return (recipient.scope, String(Substring(rest.dropFirst()))) }
        }
        return nil
    }

    /// Returns a command's topic for a message to people, with an excerpt of the verb, which may be arbitrary text.
    package func excerpt(ofCommand topic: String) -> String {
        guard let verb = command(from: topic)?.verb else { return topic }
        return String(Substring(topic.utf8.dropLast(verb.utf8.count))) + verb.excerpt
    }
}

extension Topics {
    /// Returns why the node does not send a response to a topic that the sender of a command has chosen; nil if it
    /// does.
    ///
    /// The string completes a sentence that ends with "as". A node may publish on topics that are closed to the sender,
    /// above all its own. Of its own topics, it allows only `PREFIX/ID/response/…`. A topic with a `$` may belong to
    /// the broker.
    package func objection(toResponseTopic topic: String) -> String? {
        let bytes = topic.utf8
        if bytes.isEmpty { return "it is empty" }
        guard bytes.count <= TopicFilter.maximumLength else {
            return "it is \(bytes.count) bytes long, more than \(TopicFilter.maximumLength)"
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

/// The kinds of topics that a node publishes on, by the last level of their names. The names are a stable contract.
public enum TopicKind: String, CaseIterable, Hashable, Sendable {
    /// Retained: `online` or `offline`.
    case availability
    /// Retained: the name of the mode.
    case mode
    /// The whole seconds left, on each second.
    case tick
    /// Retained: the state of the node, as JSON.
    case state
    /// Retained: the groups, timers and settings, as JSON.
    case timers
    /// What happened, as JSON.
    case event
    /// The response to each command, as JSON.
    case response
    /// Retained: the health of the node, as JSON.
    case health
    /// Retained: the newest runs of the report, as JSON.
    case runs
    /// Retained: the message to the speaker, as JSON; empty if there is none.
    case message
    /// Retained: the meetings, as JSON; empty if there is no agenda.
    case agenda
    /// Retained: the running order, as JSON; empty if there is none.
    case programme

    /// Whether the broker keeps the newest message for later subscribers.
    public var isRetained: Bool {
        switch self {
        case .availability, .mode, .state, .timers, .health, .runs, .message, .agenda, .programme: true
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

/// A topic on which a node publishes: the node's id and the kind of message.
public struct PublishedTopic: Hashable, Sendable {
    /// The first level, or levels, of the topic.
    public let prefix: String
    /// The node's id.
    public let node: String
    /// The kind of message.
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

/// The names of nodes, node groups and outputs: `[a-z0-9][a-z0-9_-]{0,62}`, not `all`.
package enum Identifier {
    /// The format as a regular expression, which does not exclude the word `all`.
    package static let pattern = "^[a-z0-9][a-z0-9_-]{0,62}$"

    /// The format in words.
    package static let expected =
        "1 to 63 of the characters a-z, 0-9, _ and -, the first a letter or digit, and not the word all"

    /// Whether a string may be such a name.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        guard let first = text.unicodeScalars.first, text.unicodeScalars.count <= 63, text != "all" else {
            return false
        }
        return isAlphanumeric(first) && text.unicodeScalars.allSatisfy(isAllowed)
    }

    /// Whether a name may begin with a character.
    package static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    /// Whether a name may contain a character.
    package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        isAlphanumeric(scalar) || scalar == "_" || scalar == "-"
    }
}
