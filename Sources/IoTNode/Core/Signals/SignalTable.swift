internal import TimerEngine

/// What each mode looks and sounds like. An output that a mode does not name is off in it.
struct SignalTable: Hashable, Sendable {
    private let signals: [TimerEngine.Mode: [OutputName: Signal]]

    /// The outputs' signals in a mode; the lamps of a paused mode blink slowly.
    func signals(in mode: TimerEngine.Mode) -> [OutputName: Signal] {
        guard mode.isPaused else { return signals[mode] ?? [:] }
        return (signals[mode.unpaused] ?? [:]).mapValues { $0 == .off ? .off : .blink(.held) }
    }

    /// A stoplight beside a speaker: green, yellow, red, then red flashing with the buzzer in step for 10 s.
    static let podium = SignalTable(signals: [
        .countdown: ["green": .on],
        .warning: ["yellow": .on],
        .final: ["red": .on],
        .alarm: ["red": .blink(.flash), "buzzer": .blink(.flash, for: .seconds(10))],
    ])
}
