package import TimerEngine
package import TimerProtocol

/// What an output does from the instant at which it is told to.
package enum LampSignal: Hashable, Sendable {
    case off
    case on
    /// Over and over.
    case blink(Pattern)
    /// Once, then off.
    case play(Pattern)

    /// The same signal, repeated if it is played once.
    package var repeated: LampSignal {
        if case .play(let pattern) = self { .blink(pattern.repeating) } else { self }
    }

    /// How long it takes, where it ends by itself.
    package var lengthOfOnePlaying: Duration? {
        if case .play(let pattern) = self { pattern.length } else { nil }
    }

    /// Whether it ends by itself.
    package var isPlayedOnce: Bool {
        if case .play = self { true } else { false }
    }

    /// Whether the output is on at `now`, and when that changes next.
    package func level(
        since start: TimerEngine.Instant, at now: TimerEngine.Instant
    ) -> (isOn: Bool, until: TimerEngine.Instant?) {
        let elapsed = start.duration(to: now)
        switch self {
        case .off: return (false, nil)
        case .on: return (true, nil)
        case .play(let pattern) where elapsed >= pattern.length: return (false, nil)
        case .blink(let pattern), .play(let pattern):
            let step = pattern.step(at: elapsed % pattern.length)
            return (step.isOn, now + step.remaining)
        }
    }

    /// What the state reports of it.
    package func state(since start: TimerEngine.Instant, at now: TimerEngine.Instant) -> OutputState {
        switch self {
        case .off: .off
        case .on: .on
        case .blink: .blink
        case .play(let pattern) where start.duration(to: now) >= pattern.length: .off
        case .play(let pattern): pattern.steps.count > 1 ? .blink : .on
        }
    }
}

extension Duration {
    /// What is left after taking as many whole `divisor`s as fit.
    fileprivate static func % (dividend: Duration, divisor: Duration) -> Duration {
        Duration(attoseconds: dividend.attoseconds % divisor.attoseconds)
    }
}

/// Alternating on and off times, the first one on; played once or repeated.
package struct Pattern: Hashable, Sendable {
    /// Each longer than zero.
    package let steps: [Duration]

    package init(_ steps: [Duration]) {
        self.steps = steps
    }

    package init(milliseconds: Int...) {
        self.init(milliseconds.map { .milliseconds($0) })
    }

    package var length: Duration { steps.reduce(.zero, +) }

    /// The pattern to repeat. A pause follows a pattern that ends with an on time: without it, the end of one playing
    /// and the beginning of the next could not be told apart.
    package var repeating: Pattern { steps.count.isMultiple(of: 2) ? self : Pattern(steps + [Self.pause]) }

    /// Whether it is on at `offset` into one playing, and how long it stays so.
    package func step(at offset: Duration) -> (isOn: Bool, remaining: Duration) {
        var end = Duration.zero
        for (index, step) in steps.enumerated() {
            end += step
            if offset < end { return (index.isMultiple(of: 2), end - offset) }
        }
        return (false, .zero)
    }
}

extension Pattern {
    /// A lamp in alarm.
    package static let flash = Pattern(milliseconds: 425, 425)
    /// The lamp of a paused mode.
    package static let held = Pattern(milliseconds: 500, 1500)
    /// What asks a speaker for attention.
    package static let attention = Pattern(milliseconds: 150, 150, 150, 150, 150)
    /// The lamps of a node that is to be found.
    package static let identify = Pattern(milliseconds: 250, 250)
    /// The pause between two playings of a pattern that ends with an on time.
    package static let pause: Duration = .milliseconds(500)

    /// The named patterns that need no configuration.
    package static let builtIn: [String: Pattern] = [
        "beep": Pattern(milliseconds: 150),
        "double": Pattern(milliseconds: 150, 150, 150),
        "triple": Pattern(milliseconds: 150, 150, 150, 150, 150),
        "long": Pattern(milliseconds: 1000),
        "alarm": flash,
    ]

}

/// A signal with its time: from `since` until `until`, or without end, it covers the cues before it in a list.
struct Cue: Hashable, Sendable {
    let signal: LampSignal
    let since: TimerEngine.Instant
    var until: TimerEngine.Instant?

    /// Whether the cue applies at `now`.
    func covers(_ now: TimerEngine.Instant) -> Bool {
        since <= now && (until.map { now < $0 } ?? true)
    }
}

extension [Cue] {
    /// Whether an output with these cues, the last one on top, is on at `now`, and how long at least it stays so.
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
    func pattern(at now: TimerEngine.Instant) -> OutputPattern? { last { $0.covers(now) }?.pattern }
}

extension TimerEngine.Countdown {
    /// When the present mode began, or would have begun in an undisturbed run; nil while stopped or paused.
    ///
    /// A node that restarts in the middle of a mode continues its patterns from there, and plays none again.
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
