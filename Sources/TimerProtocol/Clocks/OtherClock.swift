package import TimerEngine

/// The offset of another machine's boot clock from ours, measured by requesting the time from a node on that machine.
///
/// A response was made at some time between the request and its arrival here. The midpoint is assumed, so the error is
/// at most half the round trip. Since then the two clocks may have drifted apart.
package struct OtherClock: Hashable, Sendable {
    /// The measurement from one response.
    package struct Sample: Hashable, Sendable {
        /// The offset of the other clock; positive if it was ahead.
        package let offset: Duration
        /// The round trip, from the request to the response.
        package let way: Duration
        /// When the response arrived.
        package let at: Instant

        package init(offset: Duration, way: Duration, at: Instant) {
            self.offset = offset
            self.way = way
            self.at = at
        }

        /// Returns the maximum error of the offset at an instant.
        package func error(at now: Instant) -> Duration {
            way / 2 + max(.zero, at.duration(to: now)) / OtherClock.drift
        }
    }

    /// Two clocks drift apart by at most one part in this many: 100 ppm.
    static let drift = 10_000
    private static let capacity = 16

    /// The other machine's boot; nil before the first response.
    package private(set) var boot: String?
    /// The samples, the oldest first. Each has a shorter round trip than the samples after it; any other sample would
    /// never be the best.
    private var samples: [Sample] = []

    /// Continues from a known sample.
    package init(boot: String? = nil, sample: Sample? = nil) {
        self.boot = boot
        samples = sample.map { [$0] } ?? []
    }

    /// Returns the sample with the smallest maximum error.
    package func best(at now: Instant) -> Sample? {
        samples.min { $0.error(at: now) < $1.error(at: now) }
    }

    /// Adds a sample from the time in a response to a request.
    package mutating func add(
        _ clock: BootTime, askedAt asked: Instant, answeredAt answered: Instant
    ) {
        note(boot: clock.boot)
        let way = max(.zero, asked.duration(to: answered))
        let new = Sample(offset: clock.now - (asked + way / 2).sinceEpoch, way: way, at: answered)
        if let best = best(at: answered) {
            // Drift does not explain such a difference: the node is in another boot with a hidden id, or a machine was
            // suspended.
            let possible = best.error(at: answered) + new.error(at: answered) + .milliseconds(1)
            if abs(new.offset - best.offset) > possible { samples = [] }
        }
        samples.removeAll { $0.way >= way }
        samples.append(new)
        if samples.count > Self.capacity { samples.removeFirst() }
    }

    /// Records the boot of the node; samples from another boot are useless.
    package mutating func note(boot new: String) {
        if new != boot { samples = [] }
        boot = new
    }

    private func abs(_ time: Duration) -> Duration { max(time, .zero - time) }
}

/// The schedule of requests for a node's time, and the requests that are still unanswered.
package struct TimeRequests: Hashable, Sendable {
    /// The number of requests after each connection, and at the start of a run.
    package static let atConnection = 5
    package static let atStart = 3
    /// The approximate time between two of these requests. It varies, because other clients may send theirs at the same
    /// pace.
    static let pause: Duration = .milliseconds(200)
    /// The time between two requests while the node's timer runs.
    static let interval: Duration = .seconds(30)
    /// The time between two requests while it does not. The responses show whether a newer state was lost.
    static let restingInterval: Duration = .seconds(60)
    /// A response that took longer is useless.
    private static let timeout: Duration = .seconds(10)

    /// The prefix of the ids.
    private let name: String
    private var left = 0
    private var nextAt: Instant?
    private var askedAt: Instant?
    /// When each unanswered request was sent, by its id.
    private var pending: [String: Instant] = [:]
    private var random: SplitMix64

    /// - Parameter name: the prefix of the request ids.
    package init(name: String, seed: UInt64) {
        self.name = "\(name)-time-"
        random = SplitMix64(state: seed)
    }

    /// Whether more requests are due soon.
    package var isAsking: Bool { left > 0 }

    /// Returns when the next request is due; nil for never.
    ///
    /// - Parameter isCounting: whether the node's timer counts.
    package func nextInstant(isCounting: Bool) -> Instant? {
        if left > 0 { return nextAt }
        return askedAt.map { $0 + (isCounting ? Self.interval : Self.restingInterval) }
    }

    /// Schedules a number of requests, unless at least as many are already scheduled. Requests stay spaced apart, no
    /// matter how many times this is called.
    package mutating func ask(_ count: Int, at now: Instant) {
        if left == 0 { nextAt = max(now, nextAt ?? now) }
        left = max(left, count)
    }

    /// Drops all requests, because none of them will be answered any more.
    package mutating func reset() {
        left = 0
        pending = [:]
    }

    /// Returns the id of a request that is due, or nil if there is none.
    package mutating func consumeDue(at now: Instant, isCounting: Bool) -> String? {
        guard let due = nextInstant(isCounting: isCounting), due <= now else { return nil }
        left = max(0, left - 1)
        askedAt = now
        nextAt = now + Self.pause * Double.random(in: 0.75...1.25, using: &random)
        pending = pending.filter { $0.value.duration(to: now) < Self.timeout }
        let id = name + String(random.next(), radix: 16)
        pending[id] = now
        return id
    }

    /// Returns when a request was sent, and removes it; nil for the id of another command.
    package mutating func answered(_ id: String) -> Instant? { pending.removeValue(forKey: id) }
}

/// A small random number generator whose sequence is reproducible from its seed (Steele, Lea, Flood: "Fast splittable
/// pseudorandom number generators", 2014).
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
