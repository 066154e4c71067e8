package import TimerEngine
internal import TimerProtocol

/// What each mode looks and sounds like.
package struct SignalTable: Hashable, Sendable {
    /// The outputs that make a noise: `silence` mutes them, the alarm stops them after a while, and they are no lamps.
    package static let noisy: Set<OutputName> = ["buzzer", "horn", "vibrate"]

    /// A sound that comes again for as long as the alarm lasts.
    package struct Overtime: Hashable, Sendable {
        /// From the alarm to the first, and from each to the next.
        package var every: Duration
        package var pattern: Pattern

        package init(every: Duration, pattern: Pattern) {
            self.every = every
            self.pattern = pattern
        }
    }

    /// The outputs' signals in each mode; an output that a mode does not name is off in it.
    package var modes: [SignalMode: [OutputName: LampSignal]]
    /// All patterns that may be named.
    package var patterns: [String: Pattern]
    /// The sound between two timers of a group that names none.
    package var transition: Pattern?
    /// How long the alarm makes a noise; its lamps go on.
    package var alarmSoundFor: Duration = .seconds(10)
    /// How long after the alarm its steady lamps begin to flash; nil for never.
    package var grace: Duration?
    /// The sound that comes again; nil for none.
    package var overtime: Overtime?

    /// A profile, with patterns of one's own besides the built-in ones, or in their place.
    package init(_ profile: SignalProfile, patterns own: [String: Pattern] = [:]) {
        patterns = Pattern.builtIn.merging(own) { $1 }
        modes = profile.modes(patterns)
        transition = profile.transition.flatMap { [patterns] in patterns[$0] }
    }

    /// Green, yellow, red, then red flashing with the buzzer in step for 10 s.
    package static let podium = SignalTable(.podium)

    /// What a name in a group means: the pattern, nothing for `none`, and `profile` where it names none that there is.
    private func pattern(_ name: String?, or profile: Pattern?) -> Pattern? {
        guard let name, name != TimerGroup.silent else { return name == nil ? profile : nil }
        return patterns[name] ?? profile
    }

    /// The sound between two timers of a group.
    package func transition(of group: TimerGroup) -> Pattern? {
        pattern(group.transition, or: transition)
    }

    /// The outputs' signals in a mode.
    package func signals(in mode: TimerEngine.Mode, of group: TimerGroup) -> [OutputName: LampSignal] {
        switch SignalMode(mode) {
        case .alarm: return alarm(of: group)
        case .paused where modes[.paused] == nil:
            // The lamps of the paused mode, held; what is played once is over, and a pause is silent.
            let paused = modes[SignalMode(mode.unpaused)] ?? [:]
            return paused.compactMapValues { $0 == .off || $0.isPlayedOnce ? nil : .blink(.held) }
                .filter { !Self.noisy.contains($0.key) }
        case let mode: return modes[mode] ?? [:]
        }
    }
}
