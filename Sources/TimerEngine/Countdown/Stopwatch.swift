/// Time that runs and halts.
struct Stopwatch: Hashable, Sendable, Codable {
    private(set) var before: Duration = .zero
    private(set) var since: TimerEngine.Instant?

    var isRunning: Bool { since != nil }

    func elapsed(at now: TimerEngine.Instant) -> Duration {
        before + (since?.duration(to: now) ?? .zero)
    }

    mutating func run(at now: TimerEngine.Instant) {
        if since == nil { since = now }
    }

    mutating func halt(at now: TimerEngine.Instant) {
        before = elapsed(at: now)
        since = nil
    }

    mutating func shift(by duration: Duration) {
        since = since.map { $0 + duration }
    }
}
