internal import TimerEngine

/// What an output does from the instant at which it is told to.
enum Signal: Hashable, Sendable {
    case off
    case on
    /// Over and over, for good or for a time.
    case blink(Pattern, for: Duration? = nil)

    /// Whether the output is on at `now`, and when that changes next.
    func level(
        since start: TimerEngine.Instant, at now: TimerEngine.Instant
    ) -> (isOn: Bool, until: TimerEngine.Instant?) {
        switch self {
        case .off: return (false, nil)
        case .on: return (true, nil)
        case .blink(let pattern, let limit):
            let elapsed = start.duration(to: now)
            if let limit, elapsed >= limit { return (false, nil) }
            let step = pattern.step(at: elapsed % pattern.length)
            let edge = now + step.remaining
            return (step.isOn, limit.map { min(edge, start + $0) } ?? edge)
        }
    }

    /// What the state reports of it.
    func state(since start: TimerEngine.Instant, at now: TimerEngine.Instant) -> OutputState {
        switch self {
        case .off: .off
        case .on: .on
        case .blink(_, let limit): limit.map { start.duration(to: now) < $0 } ?? true ? .blink : .off
        }
    }
}

extension Duration {
    /// What is left after taking as many whole `divisor`s as fit.
    fileprivate static func % (dividend: Duration, divisor: Duration) -> Duration {
        Duration(attoseconds: dividend.attoseconds % divisor.attoseconds)
    }
}
