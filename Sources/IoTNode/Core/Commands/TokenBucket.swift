internal import TimerEngine

/// Lets `rate` through each second on average, and `burst` at once.
struct TokenBucket: Hashable, Sendable {
    private let rate: Double
    private let burst: Double
    private var tokens: Double
    private var filledAt: TimerEngine.Instant?

    init(rate: Double, burst: Double) {
        self.rate = rate
        self.burst = burst
        tokens = burst
    }

    /// Takes a token; false where there is none.
    mutating func consume(at now: TimerEngine.Instant) -> Bool {
        if let filledAt { tokens = min(burst, tokens + rate * filledAt.duration(to: now).inSeconds) }
        filledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
