internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// A signal with its time: from `since` to `until`, or without end, it covers the earlier cues in a list.
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
    /// Returns whether an output with these cues, the last one on top, is on at `now`, and how long at least it stays
    /// so.
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
    /// Returns the pattern that a group names: nil for `none`, and `profile` if the group names no pattern or an
    /// unknown one.
    private func pattern(_ name: String?, or profile: Pattern?) -> Pattern? {
        guard let name, name != TimerGroup.silent else { return name == nil ? profile : nil }
        return patterns[name] ?? profile
    }

    /// Returns the sound between two timers of a group.
    func transition(of group: TimerGroup) -> Pattern? {
        pattern(group.transition, or: transition)
    }

    /// Returns the outputs' signals in a mode.
    func signals(in mode: Mode, of group: TimerGroup) -> [OutputName: LampSignal] {
        switch SignalMode(mode) {
        case .alarm: return alarm(of: group)
        case .paused where modes[.paused] == nil:
            // The lamps of the mode that was paused blink slowly. Patterns that are played once are over, and a pause
            // is silent.
            let paused = modes[SignalMode(mode.unpaused)] ?? [:]
            return paused.compactMapValues { $0 == .off || $0.isPlayedOnce ? nil : .blink(.held) }
                .filter { !Self.noisy.contains($0.key) }
        case let mode: return modes[mode] ?? [:]
        }
    }
}

// The alarm: how a group changes the profile's alarm, how long it sounds, and the signals in overtime.
extension SignalTable {
    /// Returns the alarm of a group: the profile's, unless the group has different settings.
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

    /// Returns the cues of an output in a mode that began at `since`; later cues cover earlier ones.
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

    /// Returns the current repeat of the sound in overtime, and the next one; none before the alarm's own sound is
    /// over.
    private func overtime(
        of output: OutputName, sounding signal: LampSignal, of group: TimerGroup, since: Instant,
        at now: Instant
    ) -> [Cue] {
        // A profile that is silent during the alarm still sounds in overtime; a silent group stays silent.
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

// The signals as they are published, so that displays show each mode like the lamps.
extension SignalTable {
    /// Each mode with its word and its lamps, including those that this node has no line for: a display is a complete
    /// stoplight.
    var told: ModeSignals {
        ModeSignals(
            Dictionary(
                uniqueKeysWithValues: SignalMode.allCases.map { mode in
                    (mode.name, .init(word(for: mode), lamps: lamps(in: mode)))
                }))
    }

    /// Returns what the lamps do while a mode lasts; nil if a pause shows the lamps of the mode that was paused. Groups
    /// do not change lamps.
    private func lamps(in mode: SignalMode) -> [String: OutputState]? {
        if mode == .paused, modes[.paused] == nil { return nil }
        let lamps = (modes[mode] ?? [:]).filter { !Self.noisy.contains($0.key) }
        return lamps.compactMapValues { signal in
            // During the alarm a pattern is repeated; in other modes it is soon over.
            switch mode == .alarm ? signal.repeated : signal {
            case .off, .play: nil
            case .on: .on
            case .blink: .blink
            }
        }
    }
}
