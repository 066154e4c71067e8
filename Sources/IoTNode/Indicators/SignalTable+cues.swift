internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

// What each output does in a mode.
extension SignalTable {
    /// The pattern that a group names: nil for `none`, and `profile` if the group names none or an unknown one.
    private func pattern(_ name: String?, or profile: Pattern?) -> Pattern? {
        guard let name, name != TimerGroup.silent else { return name == nil ? profile : nil }
        return patterns[name] ?? profile
    }

    /// The sound between two timers of a group.
    func transition(of group: TimerGroup) -> Pattern? {
        pattern(group.transition, or: transition)
    }

    /// The outputs' signals in a mode.
    func signals(in mode: Mode, of group: TimerGroup) -> [OutputName: LampSignal] {
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
        of output: OutputName, playing signal: LampSignal, in mode: Mode, of group: TimerGroup,
        since: Instant, at now: Instant
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
        of output: OutputName, sounding signal: LampSignal, of group: TimerGroup, since: Instant,
        at now: Instant
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
