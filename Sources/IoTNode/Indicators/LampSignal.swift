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

    /// What was played once, over and over.
    package var repeated: LampSignal {
        if case .play(let pattern) = self { .blink(pattern.repeating) } else { self }
    }

    /// Whether it is over by itself.
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
