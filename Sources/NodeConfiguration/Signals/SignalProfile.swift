package import TimerEngine
package import TimerProtocol

/// A signal table that is built in.
package enum SignalProfile: String, CaseIterable, Hashable, Sendable {
    /// A stoplight beside a speaker: green, yellow, red, then red flashing with the buzzer in step.
    case podium
    /// The cards of a Toastmasters timer: green from the least time, yellow from the middle, red from the most.
    case toastmasters

    /// What each mode looks and sounds like with these patterns. Outputs that are missing are off; a pause shows the
    /// lamps of the paused mode.
    package func modes(_ patterns: [String: Pattern]) -> [SignalMode: [OutputName: LampSignal]] {
        switch self {
        case .podium:
            [
                .countdown: ["green": .on],
                .warning: ["yellow": .on],
                .final: ["red": .on],
                .alarm: ["red": .blink(.flash), "buzzer": .play(patterns["alarm"] ?? .flash)],
            ]
        case .toastmasters:
            [.warning: ["green": .on], .final: ["yellow": .on], .alarm: ["red": .on]]
        }
    }

    /// What each mode is called. A mode that is left out is called what it usually is.
    package var words: [SignalMode: String] {
        switch self {
        case .podium: [:]
        case .toastmasters: [.warning: "Qualified", .final: "Wrap up", .alarm: "Time"]
        }
    }

    /// The name of the sound between two timers of a group.
    package var transition: String? {
        switch self {
        case .podium: "beep"
        case .toastmasters: nil
        }
    }
}

/// A mode as the configuration names it.
package enum SignalMode: String, CaseIterable, Hashable, Sendable {
    case countdown, warning, final, alarm, paused, stopped

    package init(_ mode: Mode) {
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

    /// The mode as messages name it.
    package var name: ModeName {
        switch self {
        case .countdown: .countdown
        case .warning: .warning
        case .final: .final
        case .alarm: .alarm
        case .paused: .paused
        case .stopped: .stopped
        }
    }
}
