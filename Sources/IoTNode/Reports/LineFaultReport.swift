internal import TimerEngine
internal import TimerProtocol

/// Whether others were told that lines are missing.
struct LineFaultReport: Sendable {
    private var isFault = false
    private var isFaultReported = false
    /// When the fault began or ended, and where the timer stood then.
    private(set) var since = Instant(sinceEpoch: .zero)
    private(set) var position = EventPosition(timer: TimerPath(group: 0, item: 0), remaining: 0)

    mutating func note(isFault: Bool, at now: Instant, _ position: () -> EventPosition) {
        guard isFault != self.isFault else { return }
        self.isFault = isFault
        since = now
        self.position = position()
    }

    /// Tells whether there is something to report, once.
    mutating func consumeNews() -> Bool {
        defer { isFaultReported = isFault }
        return isFault != isFaultReported
    }
}
