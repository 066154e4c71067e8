package import TimerEngine
internal import TimerProtocol

/// Growing delays with jitter: a random time between zero, or a share of it, and 1, 2, 4 … up to 60 seconds, so that many
/// nodes do not connect to a broker at the same moment.
package struct Backoff: Hashable, Sendable {
    /// The longest delay, unless another one is given.
    package static let maximumDelay: Duration = .seconds(60)

    private let longestDelay: Duration
    private let shortestShare: Double
    private var failures = 0
    private var random: SplitMix64

    /// - Parameters:
    ///   - longestDelay: what the delays grow up to.
    ///   - shortestShare: the least part of a delay that is waited for, 0 to 1.
    init(seed: UInt64, longestDelay: Duration = maximumDelay, shortestShare: Double = 0) {
        self.longestDelay = longestDelay
        self.shortestShare = shortestShare
        random = SplitMix64(state: seed)
    }

    /// The delay before the next attempt.
    mutating func next() -> Duration {
        let ceiling = min(longestDelay, .seconds(1 << min(failures, 6)))
        failures += 1
        return ceiling * Double.random(in: shortestShare...1, using: &random)
    }

    /// Starts again with short delays, after a connection that lasted.
    mutating func reset() {
        failures = 0
    }
}

/// Allows `rate` events a second on average, and `burst` at once.
package struct TokenBucket: Hashable, Sendable {
    package let rate: Double
    package let burst: Double
    private var tokens: Double
    private var filledAt: Instant?

    package init(rate: Double, burst: Double) {
        self.rate = rate
        self.burst = burst
        tokens = burst
    }

    /// Consumes so many tokens, or all where that is less; false if there are not as many.
    package mutating func consume(_ count: Double = 1, at now: Instant) -> Bool {
        let count = min(count, burst)
        (tokens, filledAt) = (left(at: now), now)
        guard tokens >= count else { return false }
        tokens -= count
        return true
    }

    /// Whether as many are left as there can be.
    package func isFull(at now: Instant) -> Bool { left(at: now) >= burst }

    private func left(at now: Instant) -> Double {
        guard let filledAt else { return tokens }
        return min(burst, tokens + rate * max(0, filledAt.duration(to: now).inSeconds))
    }
}
