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
