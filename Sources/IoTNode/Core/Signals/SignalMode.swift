internal import TimerEngine

/// A mode as the configuration names it.
enum SignalMode: String, CaseIterable, Hashable, Sendable {
    case countdown, warning, final, alarm, paused, stopped

    init(_ mode: TimerEngine.Mode) {
        self =
            switch mode {
            case .countdown: .countdown
            case .warning: .warning
            case .final: .final
            case .alarm: .alarm
            case .paused: .paused
            case .stopped: .stopped
            }
    }
}
