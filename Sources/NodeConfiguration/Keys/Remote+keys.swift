internal import IoTNode
internal import TimerProtocol

extension NodeConfiguration.Remote {
    /// One remote as it is written.
    private struct Draft {
        var topic: TopicFilter?
        var path: ValuePath?
        var conditions: [Condition] = []
        var ignoreRepeat: Duration = .milliseconds(500)
        var commands: [String: BoundCommand] = [:]
    }

    private static let keys = Keys(
        prototype: Draft(),
        .required(
            "topic", \.topic, .topicFilter,
            "What the device publishes on. It may not match the node's own commands."),
        .optional(
            "path", \.path, .path, absent: "the whole payload",
            "Where in the JSON payload the value stands: a text, a number, true or false."),
        .optional(
            "where", \.conditions, .conditions, absent: "every message counts",
            "What else has to be in the JSON payload for the message to count, as it is written in `map`. All of it "
                + "has to."),
        .optional(
            "ignore_repeat", \.ignoreRepeat, .milliseconds(in: 0...60_000),
            "How long the same value on the same topic counts as one press; 0 for never."),
        .required("map", \.commands, .commands, "What each value does. Any other value does nothing.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        let draft = section.readAll()
        if section.has(\.conditions), !section.has(\.path) {
            section.report(.other("needs a path: without one the payload is taken as a whole"), at: \.conditions)
        }
        section.node(\.commands)?.reportValuesOfNoPayload(isTrimmed: !section.has(\.path))
        guard let topic = draft.topic, !section.isFaulty(\.ignoreRepeat, \.commands) else { return nil }
        return Self(
            topic: topic, path: draft.path, conditions: draft.conditions, ignoreRepeat: draft.ignoreRepeat,
            commands: draft.commands)
    }
}

extension Schema<TopicFilter> {
    /// A topic filter that matches none of the node's own commands.
    fileprivate static var topicFilter: Schema {
        let expected = "a topic, where + stands for one level and # at the end for all further ones"
        return Schema(expected: expected, shape: .scalar) { node in
            guard let text = node.tree.text else {
                node.report(expected: expected)
                return nil
            }
            do throws(TopicFilter.Fault) {
                let filter = try TopicFilter(text)
                guard let own = node.context.commandFilters.first(where: filter.overlaps) else { return filter }
                node.report(expected: "topics of other devices, and \(own) are this node's commands")
            } catch {
                node.report(expected: error.expected)
            }
            return nil
        }
    }
}

extension Schema<ValuePath> {
    /// A path into JSON.
    fileprivate static var path: Schema {
        scalar(
            """
            names with dots between and places from 0 in brackets, such as action or params.events[0].event, at most \
            \(JSON.maximumDepth) of them
            """
        ) { ValuePath($0) }
    }
}

extension Schema<[NodeConfiguration.Remote.Condition]> {
    /// Paths into JSON, each with the value that it must have.
    fileprivate static var conditions: Schema {
        let expected = "a mapping of paths to values such as id: 0"
        return Schema(expected: expected, shape: .named([])) { node in
            node.allEntries(expected: expected) { entry in
                let path = Schema<ValuePath>.path.read(node.child(entry.name, entry.nameTree))
                guard let value = entry.node.tree.text else {
                    entry.node.report(expected: "a text, a number, true or false")
                    return nil
                }
                return path.map { .init(path: $0, value: value) }
            }
        }
    }
}

extension YAMLNode {
    /// Reads each entry of a mapping.
    ///
    /// - Returns: nil after a fault: there is no entry, or one cannot be read.
    fileprivate func allEntries<Element>(
        expected: String, _ read: (Entry) -> Element?
    ) -> [Element]? {
        guard let entries = entries(expected: expected) else { return nil }
        guard !entries.isEmpty else {
            report(.unexpected(found: "none", expected: expected))
            return nil
        }
        let elements = entries.map(read)
        let known = elements.compactMap(\.self)
        return known.count == elements.count ? known : nil
    }

    /// Reports keys of `map` that no payload can be equal to.
    fileprivate func reportValuesOfNoPayload(isTrimmed: Bool) {
        guard case .mapping(let entries) = tree.content else { return }
        for entry in entries {
            guard case .scalar(let value, plain: _) = entry.key.content else { continue }
            let node = child(value, entry.key)
            if value.unicodeScalars.contains(where: \.isControl) {
                node.report(expected: "a value without control characters")
            } else if isTrimmed, PayloadContent.trimmed(value) != value {
                node.report(expected: "a value without white space around it, as payloads are read")
            }
        }
    }
}

extension Schema<[String: BoundCommand]> {
    /// Values, each with its command.
    fileprivate static var commands: Schema {
        let expected = "a mapping of values to commands such as single: toggle"
        return Schema(expected: expected, shape: .named([])) { node in
            let commands = node.allEntries(expected: expected) { entry in
                Schema<BoundCommand>.command.read(entry.node).map { (entry.name, $0) }
            }
            return commands.map { Dictionary($0) { first, _ in first } }
        }
    }
}
