internal import TimerEngine

/// The state of an output.
public enum OutputState: String, CaseIterable, Hashable, Sendable {
    /// Dark or silent.
    case off
    /// Lit or sounding.
    case on
    /// Going on and off in a pattern.
    case blink
}

/// The outputs of a node with their states.
public struct OutputStates: Hashable, Sendable {
    /// The maximum number of outputs of a node.
    package static let maximumCount = 256

    /// The outputs' names, in the order in which they are published.
    public let names: [String]
    /// The state of each output, in the order of the names.
    package let states: [OutputState]

    /// Outputs with these names and states; both lists have the same length.
    package init(names: [String], states: [OutputState]) { (self.names, self.states) = (names, states) }

    /// The states of outputs by name; they are published in alphabetical order of the names.
    public init(_ states: [String: OutputState]) {
        let sorted = states.sorted { $0.key < $1.key }
        self.init(names: sorted.map(\.key), states: sorted.map(\.value))
    }

    /// The state of an output; nil if the node has no such output.
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

    /// Returns the names of the outputs that are the fields of an object.
    ///
    /// - Throws: A ``Refusal`` if a name is not valid for an output, or if there are more outputs than a node may have;
    ///   it would take long to read them one by one.
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

/// How an output goes on and off. A display can use it to blink at the same instants.
public struct OutputPattern: Hashable, Sendable {
    /// The maximum number of steps in a pattern.
    public static let maximumSteps = 128

    /// The alternating lengths of the on and off phases, beginning with on; whole milliseconds, each more than 0.
    public var steps: [Duration] = []
    /// Whether it starts again after the last step; otherwise it stays off.
    public var repeats = false
    /// When it began, on the node's boot clock.
    public var began: Duration = .zero

    /// A pattern of no steps.
    public init() {}

    /// A pattern that began at a time counted from the boot.
    public init(steps: [Duration], repeats: Bool, began: Duration) {
        self.steps = steps
        self.repeats = repeats
        self.began = began
    }
}

// MARK: - Fields

extension OutputPattern: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field(
            "steps_ms", &steps,
            ListBounds(
                TimeBounds(.milliseconds(1)...(.seconds(86_400)), in: .milliseconds),
                count: (1...Self.maximumSteps, "times"),
                expected: "an array of whole numbers"),
            "The alternating lengths of the on and off phases, beginning with on, in milliseconds.")
        try visitor.field("repeat", &repeats, "Whether it starts again at the end; otherwise it stays off.")
        try visitor.field("began", &began, .instants, "When it began, in microseconds on the clock of the state.")
    }
}

/// The meaning of each mode on a node: a word to display and the states of its lamps. A client that displays a mode
/// displays these.
public struct ModeSignals: Hashable, Sendable {
    /// The meaning of one mode on a node.
    public struct Signal: Hashable, Sendable {
        /// A word or two to display, such as `Warning`.
        public var word = ""
        /// The lamps that are lit or blink during the mode, by the names of their outputs; nil if they are the lamps of
        /// the mode that was paused.
        public var lamps: [String: OutputState]?

        /// A mode without a word.
        public init() {}

        /// The meaning of a mode on a node.
        public init(_ word: String, lamps: [String: OutputState]?) {
            self.word = word
            self.lamps = lamps
        }
    }

    private var signals: [ModeName: Signal]

    /// The meanings of a node's modes; an omitted mode has its signal from ``podium``.
    public init(_ signals: [ModeName: Signal]) { self.signals = Self.podium.signals.merging(signals) { $1 } }

    private init(all signals: [ModeName: Signal]) { self.signals = signals }

    /// The usual signals of a stoplight beside a speaker. They are the default for a node that does not publish its
    /// own.
    public static let podium = ModeSignals(all: [
        .stopped: Signal("Stopped", lamps: [:]),
        .countdown: Signal("Running", lamps: ["green": .on]),
        .warning: Signal("Warning", lamps: ["yellow": .on]),
        .final: Signal("Final", lamps: ["red": .on]),
        .alarm: Signal("Overtime", lamps: ["red": .blink]),
        .paused: Signal("Paused", lamps: nil),
    ])

    /// The meaning of a mode on the node.
    public subscript(mode: ModeName) -> Signal { signals[mode] ?? Signal(mode.rawValue, lamps: [:]) }
}

// MARK: - Fields

extension ModeSignals: FieldValue {
    /// Reads the modes that this version knows.
    package static func read(_ value: PayloadValue, _ bounds: Void) throws(Refusal) -> ModeSignals {
        var fields = try value.fields()
        var signals: [ModeName: Signal] = [:]
        for mode in ModeName.allCases { try fields.field(mode.rawValue, &signals[mode], "") }
        return ModeSignals(signals)
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) {
        writer.object { writer in
            for mode in ModeName.allCases {
                writer.key(mode.rawValue)
                self[mode].write(to: &writer, ())
            }
        }
    }

    package static func schema(_ bounds: Void) -> JSON {
        ["type": "object", "additionalProperties": Signal.schema(bounds)]
    }
}

extension ModeSignals.Signal: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("word", &word, .word, "A word or two to display.")
        try visitor.field(
            "lamps", &lamps, .outputs(()), "The lit or blinking lamps; null for those of the mode that was paused."
        )
    }
}
