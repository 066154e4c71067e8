/// What an output does.
public enum OutputState: String, CaseIterable, Hashable, Sendable {
    /// Dark or silent.
    case off
    /// Lit or sounding.
    case on
    /// Going on and off in a pattern.
    case blink
}

/// The outputs of a node, each with what it does.
public struct OutputStates: Hashable, Sendable {
    /// No node has more outputs.
    package static let maximumCount = 256

    /// The names as keys, which a node makes once and not for each state.
    package let keys: [JSONKey]
    /// What each output does, in the order of the names.
    package let states: [OutputState]

    /// The states of outputs by their keys, of which there are as many.
    package init(keys: [JSONKey], states: [OutputState]) {
        self.keys = keys
        self.states = states
    }

    /// The states of outputs by their names; they are published in the order of the names.
    public init(_ states: [String: OutputState]) {
        let sorted = states.sorted { $0.key < $1.key }
        self.init(keys: sorted.map { JSONKey($0.key) }, states: sorted.map(\.value))
    }

    /// The outputs' names, in the order in which they are published.
    public var names: [String] { keys.map(\.name) }

    /// What an output does; nil where the node has no such output.
    public subscript(name: String) -> OutputState? {
        zip(keys, states).first { $0.0.name == name }?.1
    }
}

// MARK: - Fields

extension OutputStates: FieldValue {
    package static func read(_ value: PayloadValue, _ bounds: Void) throws(Refusal) -> OutputStates {
        var fields = try value.fields()
        let names = try names(fields)
        var states: [OutputState] = []
        for name in names { states.append(try fields.required(name)) }
        return OutputStates(keys: names.map { JSONKey($0) }, states: states)
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) {
        writer.object { writer in
            for (key, state) in zip(keys, states) {
                writer.key(key)
                writer.value(state.rawValue)
            }
        }
    }

    package static func schema(_ bounds: Void) -> JSON {
        ["type": "object", "additionalProperties": OutputState.schema(())]
    }

    /// The outputs that an object has as its fields.
    ///
    /// - Throws: a refusal of a name that no output has, and of more than a node has, which would take long to read one by
    ///   one.
    static func names(_ fields: PayloadFields) throws(Refusal) -> [String] {
        let names = fields.names
        guard names.count <= maximumCount else {
            throw Refusal(
                .invalidPayload,
                "field \(fields.place): found \(names.count) outputs, expected at most \(maximumCount)")
        }
        if let name = names.first(where: { !Identifier.isValid($0) }) {
            throw Refusal(
                .invalidPayload,
                "field \(fields.place): found the output \(name.quoted), expected \(Identifier.expected)")
        }
        return names
    }
}
