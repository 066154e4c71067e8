package import TimerProtocol

/// A built-in signal table.
package enum SignalProfile: String, CaseIterable, Hashable, Sendable {
    /// A stoplight beside a speaker: green, yellow, red, then red flashing with the buzzer in step.
    case podium
    /// The cards of a Toastmasters timer: green from the least time, yellow from the middle, red from the most.
    case toastmasters
    /// The podium's, told apart by how the lamps blink.
    case rhythm

    /// Returns the signals of each mode with these patterns. Outputs that are not named are off; a pause shows the
    /// lamps of the mode that was paused.
    package func modes(_ patterns: [String: Pattern]) -> [ModeName: [OutputName: LampSignal]] {
        var modes: [ModeName: [OutputName: LampSignal]] =
            switch self {
            case .podium, .rhythm:
                [
                    .countdown: ["green": .on],
                    .warning: ["yellow": .on],
                    .final: ["red": .on],
                    .alarm: ["red": .blink(.flash), "buzzer": .play(patterns["alarm"] ?? .flash)],
                ]
            case .toastmasters:
                [.warning: ["green": .on], .final: ["yellow": .on], .alarm: ["red": .on]]
            }
        // A speaker who sees no lamp can count the pulses.
        for (count, mode) in [ModeName.warning, .final, .alarm].enumerated() {
            modes[mode]?["vibrate"] = .play(.pulses(count + 1))
        }
        return modes
    }

    /// The words for the modes. A missing mode has the usual word.
    package var words: [ModeName: String] {
        switch self {
        case .podium, .rhythm: [:]
        case .toastmasters: [.warning: "Qualified", .final: "Wrap up", .alarm: "Time"]
        }
    }

    /// The name of the pattern between two timers of a group; nil for none.
    package var transition: String? {
        switch self {
        case .podium, .rhythm: "beep"
        case .toastmasters: nil
        }
    }
}

// The rhythm, by which people who do not see colours tell the modes apart.
extension SignalTable {
    /// Lets the lamps that are on blink slowly in the warning, and quickly in the final mode.
    mutating func addRhythm() {
        for (mode, pattern) in [(ModeName.warning, Pattern.slow), (.final, .quick)] {
            for (output, signal) in modes[mode] ?? [:] where signal == .on && !Self.noisy.contains(output) {
                modes[mode]?[output] = .blink(pattern)
            }
        }
    }

    /// Shows on one lamp what the mode's lamps show.
    mutating func useOnly(_ lamp: OutputName) {
        modes = modes.mapValues { signals in
            var own = signals.filter { Self.noisy.contains($0.key) }
            own[lamp] = signals.filter { !Self.noisy.contains($0.key) }.values.first
            return own
        }
    }
}
