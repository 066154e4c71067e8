internal import TimerEngine
internal import TimerProtocol

/// A signal in its place in time: from `since` until `until`, or for good, it covers those beneath it.
struct Cue: Hashable, Sendable {
    let signal: LampSignal
    let since: TimerEngine.Instant
    var until: TimerEngine.Instant?

    /// Whether it is this cue's time.
    func covers(_ now: TimerEngine.Instant) -> Bool {
        since <= now && (until.map { now < $0 } ?? true)
    }
}

extension [Cue] {
    /// Whether an output with these cues, the last one on top, is on at `now`, and until when at least that holds.
    func level(at now: TimerEngine.Instant) -> (isOn: Bool, until: TimerEngine.Instant?) {
        let top = lastIndex { $0.covers(now) }
        let level = top.map { self[$0].signal.level(since: self[$0].since, at: now) }
        var until = level?.until
        if let end = top.flatMap({ self[$0].until }) { until = Swift.min(until ?? end, end) }
        for cue in self[(top.map { $0 + 1 } ?? startIndex)...] where cue.since > now {
            until = Swift.min(until ?? cue.since, cue.since)
        }
        return (level?.isOn ?? false, until)
    }

    /// What the state reports of such an output.
    func state(at now: TimerEngine.Instant) -> OutputState {
        last { $0.covers(now) }.map { $0.signal.state(since: $0.since, at: now) } ?? .off
    }
}

extension TimerEngine.Countdown {
    /// The instant at which the present mode was due in a run that was left alone; nil while stopped or paused.
    ///
    /// So that a node that comes back in the middle of a mode goes on with its patterns, and plays none again.
    var modeSince: TimerEngine.Instant? {
        guard let zero else { return alarmedSince }
        let left =
            switch mode {
            case .warning: thresholds.warning
            case .final: thresholds.final
            case .countdown, .alarm, .paused, .stopped: thresholds.start
            }
        return zero - .seconds(left)
    }
}
