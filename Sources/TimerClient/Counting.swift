public import TimerEngine
internal import TimerProtocol

/// What a node's timer counts by, on the client's monotonic clock: whoever has it needs no further message to count.
public struct Counting: Hashable, Sendable {
    /// When 0 is, or was, due; nil while stopped or paused.
    public var zero: TimerEngine.Instant?
    /// When the mode began; nil where that is not known.
    public var since: TimerEngine.Instant?
    /// When the node made the state.
    public var made: TimerEngine.Instant
    /// Whether this rests on wall clocks, which may differ, or the node is not connected, so that nobody knows.
    public var isEstimate: Bool

    /// Points on one clock.
    public init(
        zero: TimerEngine.Instant?, since: TimerEngine.Instant?, made: TimerEngine.Instant, isEstimate: Bool
    ) {
        self.zero = zero
        self.since = since
        self.made = made
        self.isEstimate = isEstimate
    }

    /// Whether both count alike, but for a difference that nobody sees.
    package func isLike(_ other: Counting, within tolerance: Duration) -> Bool {
        isEstimate == other.isEstimate && Self.near(zero, other.zero, tolerance)
            && Self.near(since, other.since, tolerance) && Self.near(made, other.made, tolerance)
    }

    private static func near(_ one: Instant?, _ other: Instant?, _ most: Duration) -> Bool {
        guard let one, let other else { return one == other }
        let difference = one.duration(to: other)
        return difference <= most && .zero - difference <= most
    }
}

/// How an output goes on and off, on the client's monotonic clock.
public struct BlinkPattern: Hashable, Sendable {
    /// How long it is on, off, on and so forth.
    public var steps: [Duration]
    /// Whether it goes on from the beginning after the last step; else it is off.
    public var repeats: Bool
    /// When it began.
    public var began: TimerEngine.Instant
}

extension NodeMirror {
    /// How those outputs go on and off that blink, by their names; nil until the node's state is known.
    public var patterns: [String: BlinkPattern]? {
        state?.patterns.compactMapValues { pattern in
            instant(pattern.began).map {
                BlinkPattern(steps: pattern.steps, repeats: pattern.repeats, began: $0)
            }
        }
    }
    /// What the timer counts by; nil until the node's state is known.
    public var counting: Counting? {
        guard let state else { return nil }
        let made = stateMadeAt
        // The clock is more precise than the seconds, and a node of version 0.1.0 tells only those.
        let zero: Instant? =
            if let zero = state.clock?.zero { instant(zero) } else if state.mode.isRunning {
                made + state.preciseRemaining
            } else { state.overtime.map { made - $0 } }
        let since = state.clock?.since.flatMap(instant)
        return Counting(zero: zero, since: since, made: made, isEstimate: isStateEstimated || !isOnline)
    }
}
