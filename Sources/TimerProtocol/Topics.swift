/// Every topic of a node. The names are a contract: `docs/topics.md` is what others build on.
package struct Topics: Hashable, Sendable {
    /// The first level, or levels, of each topic.
    package let prefix: String
    /// The node's id.
    package let node: String
    /// The groups whose commands it obeys too.
    package let groups: [String]

    /// Retained: `online` or `offline`.
    package let availability: String
    /// Retained: the name of the mode.
    package let mode: String
    /// The seconds left, on each second.
    package let tick: String
    /// Retained: what the node does, as JSON.
    package let state: String
    /// Retained: the groups, timers and settings, as JSON.
    package let timers: String
    /// What happened, as JSON.
    package let event: String
    /// The answer to each command, as JSON.
    package let response: String
    /// Retained: the node's own condition, as JSON.
    package let health: String
    /// The command topics of those whom the node obeys; its own comes first.
    private let recipients: [Recipient]

    /// The topics of a node, all of them made here and none for each message.
    package init(prefix: String, node: String, groups: [String] = []) {
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

    /// Whom a command is for.
    package enum Scope: Hashable, Sendable {
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
    package var commandFilters: [String] { recipients.flatMap { [$0.topic + "/+", $0.topic] } }

    /// Whom a command topic is for, and the verb that it ends with; nil for any other topic.
    package func command(from topic: String) -> (scope: Scope, verb: String?)? {
        for recipient in recipients where topic.utf8.starts(with: recipient.topic.utf8) {
            let rest = topic.utf8.dropFirst(recipient.topic.utf8.count)
            if rest.isEmpty { return (recipient.scope, nil) }
            if rest.first == UInt8(ascii: "/") { return (recipient.scope, String(Substring(rest.dropFirst()))) }
        }
        return nil
    }

    /// A command's topic as a message shows it: of the verb, which anybody may have made up, no more than helps.
    package func excerpt(ofCommand topic: String) -> String {
        guard let verb = command(from: topic)?.verb else { return topic }
        return String(Substring(topic.utf8.dropLast(verb.utf8.count))) + verb.excerpt
    }
}

extension Topics {
    /// Why no answer goes to a topic that whoever asks has chosen, as the rest of a sentence; nil where it may.
    ///
    /// A node may write topics that the sender may not, above all its own: of these only `PREFIX/ID/response/…` is for
    /// answers. What has a `$` is the broker's, or some convention's description of a device.
    package func objection(toResponseTopic topic: String) -> String? {
        let bytes = topic.utf8
        if bytes.isEmpty { return "it is empty" }
        guard bytes.count <= TopicFilter.maximumLength else {
            return "it has \(bytes.count) bytes, more than \(TopicFilter.maximumLength)"
        }
        if bytes.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) { return "it has a wildcard" }
        if bytes.contains(UInt8(ascii: "$")) { return "it has a $" }
        if topic.unicodeScalars.contains(where: \.isControl) { return "it has a control character" }
        // Bytes, as MQTT compares them.
        let isOurs = bytes.elementsEqual(prefix.utf8) || bytes.starts(with: "\(prefix)/".utf8)
        let answers = "\(response)/".utf8
        let isAnswers = bytes.starts(with: answers) && bytes.count > answers.count
        return isOurs && !isAnswers ? "it is under the node's prefix" : nil
    }
}
