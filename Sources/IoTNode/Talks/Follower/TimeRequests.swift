internal import TimerEngine

/// When a follower asks its leader for the time, and what it asked.
struct TimeRequests: Hashable, Sendable {
    /// How often it asks at each connection, and at the start of a run.
    static let atConnection = 5
    static let atStart = 3
    /// Between two questions of these, more or less: others may ask at the same pace.
    static let pause: Duration = .milliseconds(200)
    /// Between two questions while the leader runs.
    static let interval: Duration = .seconds(30)
    /// An answer that took longer tells nothing.
    private static let patience: Duration = .seconds(10)

    /// What the ids begin with.
    private let name: String
    private var left = 0
    private var nextAt: TimerEngine.Instant?
    private var askedAt: TimerEngine.Instant?
    /// The questions without an answer, by their ids.
    private var pending: [String: TimerEngine.Instant] = [:]
    private var random: SplitMix64

    init(node: String, seed: UInt64) {
        name = "\(node)-time-"
        random = SplitMix64(state: seed)
    }

    /// Whether more than one question is due soon.
    var isAsking: Bool { left > 0 }

    /// When to ask next.
    ///
    /// - Parameter isCounting: whether there is something to count.
    func nextInstant(isCounting: Bool) -> TimerEngine.Instant? {
        if left > 0 { return nextAt }
        return isCounting ? askedAt.map { $0 + Self.interval } : nil
    }

    /// Asks so often, unless that is under way.
    mutating func ask(_ count: Int, at now: TimerEngine.Instant) {
        if left == 0 { nextAt = now }
        left = max(left, count)
    }

    /// Nothing that was asked will be answered any more.
    mutating func reset() {
        left = 0
        pending = [:]
    }

    /// The id of a question that is due; nil where none is.
    mutating func consumeDue(at now: TimerEngine.Instant, isCounting: Bool) -> String? {
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
    mutating func answered(_ id: String) -> TimerEngine.Instant? { pending.removeValue(forKey: id) }
}
