extension TimerEngine {
    /// What a timer is doing.
    public indirect enum Mode: Hashable, Sendable {
        /// Not running, showing its starting time.
        case stopped
        /// Running, with more left than the warning time.
        case countdown
        /// Running, at or below the warning time.
        case warning
        /// Running, at or below the final time.
        case final
        /// At zero.
        case alarm
        /// Held: `mode` is what it was doing, `pauseTime` the elapsed seconds at the pause.
        case paused(mode: Mode, pauseTime: Double)

        /// Whether time passes towards zero.
        public var isRunning: Bool {
            switch self {
            case .countdown, .warning, .final: true
            case .stopped, .alarm, .paused: false
            }
        }

        /// Whether the timer is held.
        public var isPaused: Bool {
            if case .paused = self { true } else { false }
        }

        /// The mode without the pause: what a paused timer was doing, else the mode itself.
        public var unpaused: Mode {
            if case .paused(let mode, _) = self { mode } else { self }
        }
    }
}

extension TimerEngine.Mode {
    /// The case's name alone, `paused` for each pause.
    public var name: String {
        if case .paused = self { "paused" } else { description }
    }
}

extension TimerEngine.Mode: CustomStringConvertible {
    /// The case's name; a pause as `paused(countdown, 2.1)`.
    public var description: String {
        switch self {
        case .stopped: "stopped"
        case .countdown: "countdown"
        case .warning: "warning"
        case .final: "final"
        case .alarm: "alarm"
        case .paused(let mode, let pauseTime): "paused(\(mode), \(pauseTime))"
        }
    }
}
