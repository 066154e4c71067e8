internal import TimerEngine

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

/// How an output goes on and off, so that a display does it at the same instants.
public struct OutputPattern: Hashable, Sendable {
    /// A pattern has at most so many times.
    public static let maximumSteps = 128

    /// How long it is on, off, on and so forth; whole milliseconds, each more than 0.
    public var steps: [Duration] = []
    /// Whether it goes on from the beginning after the last step; else it is off.
    public var repeats = false
    /// When it began, on the node's clock that counts from the boot.
    public var began: Duration = .zero

    /// A pattern of no steps.
    public init() {}

    /// A pattern that began at some time after the boot.
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
            "How long it is on, off, on and so forth, in milliseconds.")
        try visitor.field("repeat", &repeats, "Whether it begins again at the end; else it is off.")
        try visitor.field("began", &began, .instants, "When it began, in microseconds on the clock of the state.")
    }
}

/// What a node means by each mode: a word for people, and what its lamps do. Whoever paints a mode, paints that.
public struct ModeSignals: Hashable, Sendable {
    /// What a node means by one mode.
    public struct Signal: Hashable, Sendable {
        /// A word or two for people, such as `Warning`.
        public var word = ""
        /// The lamps that are lit or blink as long as the mode lasts, by the names of their outputs; nil for those of the
        /// mode that is paused.
        public var lamps: [String: OutputState]?

        /// A mode without a word.
        public init() {}

        /// What a node means by a mode.
        public init(_ word: String, lamps: [String: OutputState]?) {
            self.word = word
            self.lamps = lamps
        }
    }

    private var signals: [ModeName: Signal]

    /// What a node means by its modes; a mode that is left out is like ``podium``'s.
    public init(_ signals: [ModeName: Signal]) { self.signals = Self.podium.signals.merging(signals) { $1 } }

    private init(all signals: [ModeName: Signal]) { self.signals = signals }

    /// What a stoplight beside a speaker usually shows. It stands for a node that does not tell its signals.
    public static let podium = ModeSignals(all: [
        .stopped: Signal("Stopped", lamps: [:]),
        .countdown: Signal("Running", lamps: ["green": .on]),
        .warning: Signal("Warning", lamps: ["yellow": .on]),
        .final: Signal("Final", lamps: ["red": .on]),
        .alarm: Signal("Overtime", lamps: ["red": .blink]),
        .paused: Signal("Paused", lamps: nil),
    ])

    /// What the node means by a mode.
    public subscript(mode: ModeName) -> Signal { signals[mode] ?? Signal(mode.rawValue, lamps: [:]) }
}

// MARK: - Fields

extension ModeSignals: FieldValue {
    /// Reads the modes that are known here.
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
        try visitor.field("word", &word, .word, "A word or two for people.")
        try visitor.field(
            "lamps", &lamps, .outputs(()), "The lamps that are lit or blink; null for those of the mode that is paused."
        )
    }
}
