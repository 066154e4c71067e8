extension TimerEngine {
    /// What a timer is doing.
    public indirect enum Mode: Hashable, Sendable {
        /// Not running; shows the starting time.
        case stopped
        /// Running; more than the warning time is left.
        case countdown
        /// Running; at or below the warning time.
        case warning
        /// Running; at or below the final time.
        case final
        /// At zero.
        case alarm
        /// Paused: `mode` is the mode before the pause, `pauseTime` the elapsed seconds at the pause.
        case paused(mode: Mode, pauseTime: Double)

        /// Whether the timer counts down.
        public var isRunning: Bool {
            switch self {
            case .countdown, .warning, .final: true
            case .stopped, .alarm, .paused: false
            }
        }

        /// Whether the timer is paused.
        public var isPaused: Bool {
            if case .paused = self { true } else { false }
        }

        /// The mode before the pause, or the mode itself if not paused.
        public var unpaused: Mode {
            if case .paused(let mode, _) = self { mode } else { self }
        }
    }
}

extension TimerEngine.Mode {
    /// The name of the case; `paused` for every pause.
    public var name: String {
        if case .paused = self { "paused" } else { description }
    }
}

extension TimerEngine.Mode: CustomStringConvertible {
    /// The name of the case; a pause is written as `paused(countdown, 2.1)`.
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
