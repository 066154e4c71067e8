/// A stopwatch that can run and halt.
struct Stopwatch: Hashable, Sendable, Codable {
    private(set) var before: Duration = .zero
    private(set) var since: TimerEngine.Instant?

    var isRunning: Bool { since != nil }

    func elapsed(at now: TimerEngine.Instant) -> Duration {
        max(.zero, before + (since?.duration(to: now) ?? .zero))
    }

    /// Runs from `start`, or from its current start if that is earlier.
    mutating func run(from start: TimerEngine.Instant) {
        since = min(since ?? start, start)
    }

    mutating func halt(at now: TimerEngine.Instant) {
        before = elapsed(at: now)
        since = nil
    }

    /// Limits the time measured before the current start.
    mutating func limitEarlierTime(to limit: Duration) {
        before = min(before, limit)
    }

    mutating func shift(by duration: Duration) {
        since = since.map { $0 + duration }
    }
}

extension Stopwatch {
    private enum CodingKeys: CodingKey { case before, since }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        before = try fields.decodeTime(forKey: .before)
        since = try fields.decodeIfPresent(TimerEngine.Instant.self, forKey: .since)
    }
}
