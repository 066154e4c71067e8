/// What a node means by each mode: a word for people, and what its lamps do. Whoever paints a mode, paints that.
public struct ModeSignals: Hashable, Sendable {
    /// What a node means by one mode.
    public struct Signal: Hashable, Sendable {
        /// A word or two for people, such as `Warning`.
        public var word: String
        /// The lamps that are lit or blink as long as the mode lasts, by the names of their outputs; nil for those of the
        /// mode that is paused.
        public var lamps: [String: OutputState]?

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

// MARK: - JSON

extension ModeSignals {
    private static let keys = ModeName.allCases.map { ($0, JSONKey($0.rawValue)) }

    package func write(to writer: inout JSONWriter) {
        for (mode, key) in Self.keys {
            let signal = self[mode]
            writer.member(key) { writer in
                writer.member(.word, signal.word)
                guard let lamps = signal.lamps else { return writer.member(.lamps, String?.none) }
                writer.member(.lamps) { OutputStates(lamps).write(to: &$0) }
            }
        }
    }

    /// Reads the modes that are known here.
    init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        var signals: [ModeName: Signal] = [:]
        for (mode, key) in Self.keys {
            guard var signal = try fields.object(key.name) else { continue }
            let lamps = try signal.object(JSONKey.lamps.name).map { (lamps) throws(Refusal) in try OutputStates(lamps) }
            signals[mode] = Signal(
                try signal.required(.word, .word),
                lamps: lamps.map { Dictionary(zip($0.names, $0.states)) { first, _ in first } })
        }
        self.init(signals)
    }
}
