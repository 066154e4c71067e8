/// Scheduled calls, at most one per waker.
struct CallQueue: Sendable {
    struct Call: Sendable {
        let instant: TimerEngine.Instant
        /// A sequence number: calls for the same instant are made in the order in which they were scheduled.
        fileprivate let number: Int
        /// Retained while the call is scheduled, so that no other waker can have the same identity.
        fileprivate let waker: any TimerEngine.Waker
        let body: @Sendable () -> Void
    }

    private var calls: [ObjectIdentifier: Call] = [:]
    private var asked = 0

    /// The next call.
    var first: Call? { calls.values.min { ($0.instant, $0.number) < ($1.instant, $1.number) } }

    /// Schedules a call.
    ///
    /// - Returns: The call that it replaces; if you hold a lock, release that call after unlocking.
    mutating func set(
        _ body: @escaping @Sendable () -> Void, at instant: TimerEngine.Instant, of waker: any TimerEngine.Waker
    ) -> Call? {
        asked += 1
        return calls.updateValue(
            Call(instant: instant, number: asked, waker: waker, body: body), forKey: ObjectIdentifier(waker))
    }

    mutating func remove(of waker: any TimerEngine.Waker) -> Call? {
        calls.removeValue(forKey: ObjectIdentifier(waker))
    }

    /// Removes and returns the next call if it is due by `instant`.
    mutating func takeFirst(upTo instant: TimerEngine.Instant) -> Call? {
        guard let first, first.instant <= instant else { return nil }
        return remove(of: first.waker)
    }
}
