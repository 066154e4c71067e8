package import TimerEngine
internal import TimerProtocol

/// What each mode looks and sounds like.
package struct SignalTable: Hashable, Sendable {
    /// The outputs that make a noise: `silence` mutes them, the alarm stops them after a while, and they are no lamps.
    package static let noisy: Set<OutputName> = ["buzzer", "horn", "vibrate"]

    /// A sound that is repeated as long as the alarm lasts.
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
    /// What each mode is called.
    package var words: [SignalMode: String]
    /// All patterns that may be named.
    package var patterns: [String: Pattern]
    /// The sound between two timers of a group that names none.
    package var transition: Pattern?
    /// How long the alarm makes a noise; its lamps go on.
    package var alarmSoundFor: Duration = .seconds(10)
    /// How long after the alarm its steady lamps begin to flash; nil for never.
    package var grace: Duration?
    /// The repeated sound; nil for none.
    package var overtime: Overtime?
    /// What asks the speaker for attention, over the mode's signals; nil for dark gaps in the lamps that are lit.
    package var attention: [OutputName: LampSignal]?

    /// A profile with configured patterns, which are added to the built-in ones or replace them.
    package init(_ profile: SignalProfile, patterns own: [String: Pattern] = [:]) {
        patterns = Pattern.builtIn.merging(own) { $1 }
        modes = profile.modes(patterns)
        words = profile.words
        transition = profile.transition.flatMap { [patterns] in patterns[$0] }
    }

    /// Green, yellow, red, then red flashing with the buzzer in step for 10 s.
    package static let podium = SignalTable(.podium)

    /// The pattern that a group names: nil for `none`, and `profile` if the group names none or an unknown one.
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
            // The lamps of the paused mode blink slowly. What is played once is over, and a pause is silent.
            let paused = modes[SignalMode(mode.unpaused)] ?? [:]
            return paused.compactMapValues { $0 == .off || $0.isPlayedOnce ? nil : .blink(.held) }
                .filter { !Self.noisy.contains($0.key) }
        case let mode: return modes[mode] ?? [:]
        }
    }
}

// The alarm: how a group changes the profile's, how long it sounds, and what follows.
extension SignalTable {
    /// The alarm of a group: the profile's, unless the group asks for something else.
    func alarm(of group: TimerGroup) -> [OutputName: LampSignal] {
        var signals = modes[.alarm] ?? [:]
        let profile = signals["buzzer"] ?? .off
        let loud = profile == .off ? patterns["alarm"].map(LampSignal.play) ?? .off : profile
        let named = group.sound.flatMap { patterns[$0] }.map(LampSignal.play)
        let isMute = group.sound == TimerGroup.silent
        switch group.alarm {
        case .none: signals["buzzer"] = isMute ? .off : named ?? profile
        case .sound: signals["buzzer"] = isMute ? .off : named ?? loud
        case .vibrate: (signals["buzzer"], signals["vibrate"]) = (.off, named ?? loud)
        case .soundVibrate: (signals["buzzer"], signals["vibrate"]) = (isMute ? .off : named ?? loud, named ?? loud)
        }
        return signals
    }

    /// What an output does in a mode that began at `since`, the last cue on top of the others.
    ///
    /// The list is complete from `now` until the first change of one of them.
    ///
    /// - Parameter signal: the output's signal from ``signals(in:of:)``.
    func cues(
        of output: OutputName, playing signal: LampSignal, in mode: TimerEngine.Mode, of group: TimerGroup,
        since: TimerEngine.Instant, at now: TimerEngine.Instant
    ) -> [Cue] {
        guard mode == .alarm else { return [Cue(signal: signal, since: since)] }
        if Self.noisy.contains(output) {
            let sound = Cue(signal: signal.repeated, since: since, until: since + alarmSoundFor)
            return [sound] + overtime(of: output, sounding: signal, of: group, since: since, at: now)
        }
        let lamp = Cue(signal: signal.repeated, since: since)
        guard let grace, signal == .on else { return [lamp] }
        return [lamp, Cue(signal: .blink(.flash), since: since + grace)]
    }

    /// The present repeat of the sound in overtime, and the next one; none before the alarm's own sound is over.
    private func overtime(
        of output: OutputName, sounding signal: LampSignal, of group: TimerGroup, since: TimerEngine.Instant,
        at now: TimerEngine.Instant
    ) -> [Cue] {
        // A profile that is silent in alarm still sounds in overtime; a group that is silent stays silent.
        let isHeard = signal != .off || (output == "buzzer" && group.alarm == .none && group.sound != TimerGroup.silent)
        guard let overtime, isHeard else { return [] }
        let quietFrom = signal == .off ? .zero : alarmSoundFor
        let count = since.duration(to: now).count(of: overtime.every)
        return [count, count + 1].compactMap { count in
            let delay = overtime.every * count
            guard count > 0, delay >= quietFrom else { return nil }
            let start = since + delay
            return Cue(signal: .play(overtime.pattern), since: start, until: start + overtime.pattern.length)
        }
    }
}

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

    package init(_ mode: TimerEngine.Mode) {
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
    var name: ModeName {
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
