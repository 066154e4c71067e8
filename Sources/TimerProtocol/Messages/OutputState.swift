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

    /// The outputs' names, in the order in which they are published.
    public let names: [String]
    /// What each output does, in the order of the names.
    package let states: [OutputState]

    /// The states of outputs by their names, of which there are as many.
    package init(names: [String], states: [OutputState]) { (self.names, self.states) = (names, states) }

    /// The states of outputs by their names; they are published in the order of the names.
    public init(_ states: [String: OutputState]) {
        let sorted = states.sorted { $0.key < $1.key }
        self.init(names: sorted.map(\.key), states: sorted.map(\.value))
    }

    /// What an output does; nil where the node has no such output.
    public subscript(name: String) -> OutputState? {
        zip(names, states).first { $0.0 == name }?.1
    }
}

// MARK: - Fields

extension OutputStates: FieldValue {
    package static func read(_ value: PayloadValue, _ bounds: Void) throws(Refusal) -> OutputStates {
        OutputStates(try [String: OutputState].read(value, .outputs(())))
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) {
        writer.object { writer in
            for (name, state) in zip(names, states) {
                writer.key(name)
                writer.value(state.rawValue)
            }
        }
    }

    package static func schema(_ bounds: Void) -> JSON {
        [String: OutputState].schema(.outputs(bounds))
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
