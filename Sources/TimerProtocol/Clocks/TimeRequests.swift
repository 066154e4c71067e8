package import TimerEngine

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
