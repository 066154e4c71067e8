internal import NodePorts
internal import TimerEngine

/// Lines that the core wants to hold: when to request them next, and why they are not held.
struct LineAcquisition: Hashable, Sendable {
    /// When to request the lines; nil while they are held, or not wanted.
    private(set) var retryAt: Instant?
    /// Why they are not held.
    private(set) var fault: LinesFault?

    /// Asks for the lines to be requested at once.
    mutating func begin(at now: Instant) { retryAt = now }

    /// Whether to request the lines now; true once for each time that is due.
    mutating func consumeAttempt(at now: Instant) -> Bool {
        guard let retryAt, retryAt <= now else { return false }
        self.retryAt = nil
        return true
    }

    /// The lines are held; returns whether they were missing before.
    mutating func succeeded() -> Bool { fault.take() != nil }

    /// The lines are not held; returns whether that is news.
    mutating func failed(_ fault: LinesFault, at now: Instant) -> Bool {
        retryAt = now + .seconds(2)
        return self.fault.changes(to: fault)
    }
}
