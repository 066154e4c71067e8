package import TimerEngine

/// How far another machine's boot clock is ahead of ours, as asking a node there for its time tells.
///
/// An answer was made at some time between the question and its arrival here. We take the middle, which is wrong by half
/// of the way at most. Since then the two clocks may have drifted apart.
package struct OtherClock: Hashable, Sendable {
    /// What one answer told.
    package struct Sample: Hashable, Sendable {
        /// How far the other clock was ahead.
        package let offset: Duration
        /// From the question to the answer.
        package let way: Duration
        /// When the answer arrived.
        package let at: Instant

        package init(offset: Duration, way: Duration, at: Instant) {
            self.offset = offset
            self.way = way
            self.at = at
        }

        /// How wrong the offset may be by now.
        package func error(at now: Instant) -> Duration {
            way / 2 + max(.zero, at.duration(to: now)) / OtherClock.drift
        }
    }

    /// Two clocks drift apart by one part of so many, at most: 100 ppm.
    static let drift = 10_000
    private static let capacity = 16

    /// The other machine's boot; nil before the first answer.
    package private(set) var boot: String?
    /// The oldest first, each with a shorter way than those after it: others are better at no time.
    private var samples: [Sample] = []

    /// Goes on from what was known.
    package init(boot: String? = nil, sample: Sample? = nil) {
        self.boot = boot
        samples = sample.map { [$0] } ?? []
    }

    /// The sample that counts: the one that may be least wrong.
    package func best(at now: Instant) -> Sample? {
        samples.min { $0.error(at: now) < $1.error(at: now) }
    }

    /// The node said what its clock shows, in answer to a question.
    package mutating func add(
        _ clock: BootTime, askedAt asked: Instant, answeredAt answered: Instant
    ) {
        note(boot: clock.boot)
        let way = max(.zero, asked.duration(to: answered))
        let new = Sample(offset: clock.now - (asked + way / 2).sinceEpoch, way: way, at: answered)
        if let best = best(at: answered) {
            // More than clocks do by themselves: another boot whose id is hidden, or a machine that stood still.
            let possible = best.error(at: answered) + new.error(at: answered) + .milliseconds(1)
            if abs(new.offset - best.offset) > possible { samples = [] }
        }
        samples.removeAll { $0.way >= way }
        samples.append(new)
        if samples.count > Self.capacity { samples.removeFirst() }
    }

    /// The node is in this boot; what was known of another one is worth nothing.
    package mutating func note(boot new: String) {
        if new != boot { samples = [] }
        boot = new
    }

    private func abs(_ time: Duration) -> Duration { max(time, .zero - time) }
}

/// When somebody asks a node for its time, and what was asked.
package struct TimeRequests: Hashable, Sendable {
    /// How often to ask at each connection, and at the start of a run.
    package static let atConnection = 5
    package static let atStart = 3
    /// Between two questions of these, more or less: others may ask at the same pace.
    static let pause: Duration = .milliseconds(200)
    /// Between two questions while the node's timer runs.
    static let interval: Duration = .seconds(30)
    /// An answer that took longer tells nothing.
    private static let patience: Duration = .seconds(10)

    /// What the ids begin with.
    private let name: String
    private var left = 0
    private var nextAt: Instant?
    private var askedAt: Instant?
    /// The questions without an answer, by their ids.
    private var pending: [String: Instant] = [:]
    private var random: SplitMix64

    /// - Parameter name: what the ids of the questions begin with.
    package init(name: String, seed: UInt64) {
        self.name = "\(name)-time-"
        random = SplitMix64(state: seed)
    }

    /// Whether more than one question is due soon.
    package var isAsking: Bool { left > 0 }

    /// When to ask next.
    ///
    /// - Parameter isCounting: whether there is something to count.
    package func nextInstant(isCounting: Bool) -> Instant? {
        if left > 0 { return nextAt }
        return isCounting ? askedAt.map { $0 + Self.interval } : nil
    }

    /// Asks so often, unless that is under way. After the last question there is a pause, however often this is called.
    package mutating func ask(_ count: Int, at now: Instant) {
        if left == 0 { nextAt = max(now, nextAt ?? now) }
        left = max(left, count)
    }

    /// Nothing that was asked will be answered any more.
    package mutating func reset() {
        left = 0
        pending = [:]
    }

    /// The id of a question that is due; nil where none is.
    package mutating func consumeDue(at now: Instant, isCounting: Bool) -> String? {
        guard let due = nextInstant(isCounting: isCounting), due <= now else { return nil }
        left = max(0, left - 1)
        askedAt = now
        nextAt = now + Self.pause * Double.random(in: 0.75...1.25, using: &random)
        pending = pending.filter { $0.value.duration(to: now) < Self.patience }
        let id = name + String(random.next(), radix: 16)
        pending[id] = now
        return id
    }

    /// When a question was asked; nil for the id of another command.
    package mutating func answered(_ id: String) -> Instant? { pending.removeValue(forKey: id) }
}

/// A small random number generator that can be repeated from its seed (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", 2014).
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
