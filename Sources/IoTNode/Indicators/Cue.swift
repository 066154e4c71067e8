internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// A timed signal: from `since` to `until`, or indefinitely, it covers the earlier cues in a list.
struct Cue: Hashable, Sendable {
    let signal: LampSignal
    let since: Instant
    var until: Instant?

    /// Whether the cue applies at `now`.
    func covers(_ now: Instant) -> Bool {
        since <= now && (until.map { now < $0 } ?? true)
    }
}

extension [Cue] {
    /// Returns whether an output with these cues, the last one on top, is on at `now`, and for how long it keeps that
    /// level at least.
    func level(at now: Instant) -> (isOn: Bool, until: Instant?) {
        let top = lastIndex { $0.covers(now) }
        let level = top.map { self[$0].signal.level(since: self[$0].since, at: now) }
        var until = level?.until
        if let end = top.flatMap({ self[$0].until }) { until = Swift.min(until ?? end, end) }
        for cue in self[(top.map { $0 + 1 } ?? startIndex)...] where cue.since > now {
            until = Swift.min(until ?? cue.since, cue.since)
        }
        return (level?.isOn ?? false, until)
    }

    /// Returns the reported state of an output with these cues.
    func state(at now: Instant) -> OutputState {
        last { $0.covers(now) }.map { $0.signal.state(since: $0.since, at: now) } ?? .off
    }
}

extension Cue {
    /// The pattern in which the output goes on and off; nil for a steady signal.
    fileprivate var pattern: OutputPattern? {
        switch signal {
        case .off, .on: nil
        case .blink(let pattern):
            OutputPattern(steps: pattern.steps, repeats: true, began: since.sinceEpoch)
        case .play(let pattern):
            OutputPattern(steps: pattern.steps, repeats: false, began: since.sinceEpoch)
        }
    }
}

extension [Cue] {
    /// Returns the pattern in which an output with these cues goes on and off; nil while it is steady.
    func pattern(at now: Instant) -> OutputPattern? { last { $0.covers(now) }?.pattern }
}

// The signals of each output in a mode.
extension SignalTable {
    /// Returns the pattern that a group names: nil for `none`, and `profile` if the group names an unknown pattern or
    /// none at all.
    private func pattern(_ name: String?, or profile: Pattern?) -> Pattern? {
        guard let name, name != TimerGroup.silent else { return name == nil ? profile : nil }
        return patterns[name] ?? profile
    }

    /// Returns the sound that a group plays between two timers.
    func transition(of group: TimerGroup) -> Pattern? {
        pattern(group.transition, or: transition)
    }

    /// Returns the outputs' signals in a mode.
    func signals(in mode: Mode, of group: TimerGroup) -> [OutputName: LampSignal] {
        switch ModeName(mode) {
        case .alarm: return alarm(of: group)
        case .paused where modes[.paused] == nil:
            // The lamps of the mode that was paused blink slowly. Patterns that play once are over, and a pause is
            // silent.
            let paused = modes[ModeName(mode.unpaused)] ?? [:]
            return paused.compactMapValues { $0 == .off || $0.isPlayedOnce ? nil : .blink(.held) }
                .filter { !Self.noisy.contains($0.key) }
        case let mode: return modes[mode] ?? [:]
        }
    }
}

// The alarm: how a group changes the profile's alarm, how long it sounds, and the signals during overtime.
extension SignalTable {
    /// Returns a group's alarm: the profile's, unless the group overrides it.
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

    /// Returns an output's cues in a mode that began at `since`; later cues cover earlier ones.
    ///
    /// The list is complete from `now` until the first change of one of the cues.
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

    /// Returns the current and the next repetition of the overtime sound; empty until the alarm's own sound is over.
    private func overtime(
        of output: OutputName, sounding signal: LampSignal, of group: TimerGroup, since: Instant,
        at now: Instant
    ) -> [Cue] {
        // A profile that is silent during the alarm still sounds during overtime, but a silent group stays silent.
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

// The signals as they are published, so displays can show each mode as the lamps do.
extension SignalTable {
    /// Each mode with its word and its lamps. Lamps that have no line on this node are included, because a display
    /// shows a complete stoplight.
    var told: ModeSignals {
        ModeSignals(
            Dictionary(
                uniqueKeysWithValues: ModeName.allCases.map { mode in
                    (mode, .init(word(for: mode), lamps: lamps(in: mode)))
                }))
    }

    /// Returns the lamp signals during a mode; nil if a pause shows the lamps of the mode that was paused. Groups do
    /// not affect the lamps.
    private func lamps(in mode: ModeName) -> [String: OutputState]? {
        if mode == .paused, modes[.paused] == nil { return nil }
        let lamps = (modes[mode] ?? [:]).filter { !Self.noisy.contains($0.key) }
        return lamps.compactMapValues { signal in
            // A pattern repeats during the alarm, but in other modes it is soon over.
            switch mode == .alarm ? signal.repeated : signal {
            case .off, .play: nil
            case .on: .on
            case .blink: .blink
            }
        }
    }
}
