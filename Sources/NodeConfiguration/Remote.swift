package import TimerProtocol

extension NodeConfiguration {
    /// One entry of `remotes`: the messages of another device, and the resulting commands.
    package struct Remote: Hashable, Sendable {
        package var topic: TopicFilter
        /// Nil to use the whole payload.
        package var path: ValuePath?
        /// Empty without a ``path``.
        package var conditions: [Condition]
        package var ignoreRepeat: Duration
        package var commands: [String: BoundCommand]

        package init(
            topic: TopicFilter, path: ValuePath?, conditions: [Condition], ignoreRepeat: Duration,
            commands: [String: BoundCommand]
        ) {
            (self.topic, self.path, self.conditions) = (topic, path, conditions)
            (self.ignoreRepeat, self.commands) = (ignoreRepeat, commands)
        }

        /// A path in the payload, and the value required there.
        package struct Condition: Hashable, Sendable {
            package let path: ValuePath
            package let value: String

            package init(path: ValuePath, value: String) { (self.path, self.value) = (path, value) }
        }
    }
}

extension NodeConfiguration.Remote {
    /// The maximum size of a payload that is read, in bytes.
    package static let largestPayload = 64 * 1024

    /// Why a payload cannot be read.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    /// The value that this remote reads from a payload.
    package enum Reading: Hashable {
        /// The payload without surrounding white space, or the scalar at ``path`` as a string.
        case value(String)
        /// No value, and the reason.
        case nothing(because: String)
    }

    /// Reads a payload.
    ///
    /// - Throws: ``Unreadable`` for a payload that is too large, is not text, or is not JSON although there is a path.
    package func reading(of payload: [UInt8]) throws(Unreadable) -> Reading {
        guard payload.count <= Self.largestPayload else {
            throw Unreadable(
                description: "the payload is \(payload.count) bytes, more than the limit of \(Self.largestPayload)")
        }
        guard let path else {
            guard let text = String(validating: payload, as: UTF8.self) else {
                throw Unreadable(description: "the payload is not valid UTF-8")
            }
            return .value(PayloadContent.trimmed(text))
        }
        let json: JSON
        do throws(JSON.ParseError) {
            json = try JSON(parsing: payload)
        } catch {
            throw Unreadable(description: error.description)
        }
        for condition in conditions {
            guard let found = condition.path.value(in: json)?.scalarText else {
                return .nothing(because: "there is no value at \(condition.path)")
            }
            guard found == condition.value else {
                return .nothing(because: "\(condition.path) is \(found.quoted)")
            }
        }
        guard let value = path.value(in: json)?.scalarText else {
            return .nothing(because: "there is no value at its path")
        }
        return .value(value)
    }
}

extension JSON {
    /// A string, a number or a truth value as a string, for comparison; nil for anything else.
    fileprivate var scalarText: String? {
        switch self {
        case .string(let text): text
        case .bool, .integer, .number: text
        case .null, .array, .object: nil
        }
    }
}

extension NodeConfiguration.Remote {
    /// One remote as written in the file.
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
            "The topic of the device. It must not match the node's own commands."),
        .optional(
            "path", \.path, .path, absent: "the whole payload",
            "The path of the value in the JSON payload."),
        .optional(
            "where", \.conditions, .conditions, absent: "every message counts",
            "Other values, all of which the JSON payload must contain."),
        .optional(
            "ignore_repeat", \.ignoreRepeat, .milliseconds(in: 0...60_000),
            "How long the same value is ignored as a repeat; 0 for never."),
        .required("map", \.commands, .commands, "The command for each value. Other values do nothing.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        let draft = section.readAll()
        if section.has(\.conditions), !section.has(\.path) {
            section.report(.other("needs a path: without one the whole payload is the value"), at: \.conditions)
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
        let expected = "a topic, with + for one level and # at the end for all remaining levels"
        return Schema(expected: expected, shape: .scalar) { node in
            guard let text = node.tree.text else {
                node.report(expected: expected)
                return nil
            }
            do throws(TopicFilter.Fault) {
                let filter = try TopicFilter(text)
                guard let own = node.context.commandFilters.first(where: filter.overlaps) else { return filter }
                node.report(expected: "topics of other devices; \(own) are this node's commands")
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
            at most \(JSON.maximumDepth) names separated by dots and indexes from 0 in brackets, such as action or \
            params.events[0].event
            """
        ) { ValuePath($0) }
    }
}

extension Schema<[NodeConfiguration.Remote.Condition]> {
    /// Paths into JSON, each with the value that it must have.
    fileprivate static var conditions: Schema {
        let expected = "a mapping of paths to values such as id: 0"
        return Schema(expected: expected, shape: .named([])) { node in
            node.readEntries(expected: expected) { entry in
                let path = Schema<ValuePath>.path.read(node.child(entry.name, entry.nameTree))
                guard let value = entry.node.tree.text else {
                    entry.node.report(expected: "a string, a number, true or false")
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
    /// - Returns: nil after a fault: the mapping is empty, or an entry cannot be read.
    fileprivate func readEntries<Element>(
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

    /// Reports the keys of `map` that cannot be equal to any payload.
    fileprivate func reportValuesOfNoPayload(isTrimmed: Bool) {
        guard case .mapping(let entries) = tree.content else { return }
        for entry in entries {
            guard case .scalar(let value, plain: _) = entry.key.content else { continue }
            let node = child(value, entry.key)
            if value.unicodeScalars.contains(where: \.isControl) {
                node.report(expected: "a value without control characters")
            } else if isTrimmed, PayloadContent.trimmed(value) != value {
                node.report(expected: "a value without leading or trailing white space")
            }
        }
    }
}

extension Schema<[String: BoundCommand]> {
    /// Values, each with its command.
    fileprivate static var commands: Schema {
        let expected = "a mapping of values to commands such as single: toggle"
        return Schema(expected: expected, shape: .named([])) { node in
            let commands = node.readEntries(expected: expected) { entry in
                Schema<BoundCommand>.command.read(entry.node).map { (entry.name, $0) }
            }
            return commands.map { Dictionary($0) { first, _ in first } }
        }
    }
}
