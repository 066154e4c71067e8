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
        since start: Instant, at now: Instant
    ) -> (isOn: Bool, until: Instant?) {
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
    package func state(since start: Instant, at now: Instant) -> OutputState {
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
