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
