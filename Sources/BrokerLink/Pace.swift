package import TimerEngine
internal import TimerProtocol

/// Growing delays with jitter, so that many nodes do not connect to a broker at the same moment: a random time of up to
/// 1, 2, 4 … 60 seconds, but at least a given share of that.
package struct Backoff: Hashable, Sendable {
    /// The default upper limit of the delays.
    package static let maximumDelay: Duration = .seconds(60)

    private let longestDelay: Duration
    private let shortestShare: Double
    private var failures = 0
    private var random: SplitMix64

    /// - Parameters:
    ///   - longestDelay: the upper limit of the delays.
    ///   - shortestShare: the minimum share of each delay, 0 to 1.
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

/// Allows `rate` events per second on average, and `burst` at once.
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

    /// Consumes this many tokens, but at most `burst`; returns false if there are too few.
    package mutating func consume(_ count: Double = 1, at now: Instant) -> Bool {
        let count = min(count, burst)
        (tokens, filledAt) = (left(at: now), now)
        guard tokens >= count else { return false }
        tokens -= count
        return true
    }

    /// Whether the bucket is full.
    package func isFull(at now: Instant) -> Bool { left(at: now) >= burst }

    private func left(at now: Instant) -> Double {
        guard let filledAt else { return tokens }
        return min(burst, tokens + rate * max(0, filledAt.duration(to: now).inSeconds))
    }
}
