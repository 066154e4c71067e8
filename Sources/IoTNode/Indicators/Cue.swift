internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// A signal with its time: from `since` until `until`, or without end, it covers the cues before it in a list.
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
    /// Whether an output with these cues, the last one on top, is on at `now`, and how long at least it stays so.
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

    /// What the state reports of such an output.
    func state(at now: Instant) -> OutputState {
        last { $0.covers(now) }.map { $0.signal.state(since: $0.since, at: now) } ?? .off
    }
}

extension Cue {
    /// How it goes on and off; nil where it does not.
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
    /// How such an output goes on and off; nil where it does not.
    func pattern(at now: Instant) -> OutputPattern? { last { $0.covers(now) }?.pattern }
}

extension Countdown {
    /// When the present mode began, or would have begun in an undisturbed run; nil while stopped or paused.
    ///
    /// A node that restarts in the middle of a mode continues its patterns from there, and plays none again.
    var modeSince: Instant? {
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
