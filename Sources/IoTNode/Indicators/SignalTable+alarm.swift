internal import TimerEngine
internal import TimerProtocol

// The alarm: what a group makes of the profile's, how long it is heard, and what comes after.
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
    /// They are all that matters from `now` to the first of their changes.
    ///
    /// - Parameter signal: the output's among those of ``signals(in:of:)``.
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
        // A profile that is silent in alarm is not in overtime; a group that is silent stays so.
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
