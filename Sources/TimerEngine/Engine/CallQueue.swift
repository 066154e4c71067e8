/// The calls that are to come, one for each waker.
struct CallQueue: Sendable {
    struct Call: Sendable {
        let instant: TimerEngine.Instant
        /// Which of the calls this is: those of one instant are made in the order in which they were asked for.
        fileprivate let number: Int
        /// Held while the call is to come, so that no other waker has its identity.
        fileprivate let waker: any TimerEngine.Waker
        let body: @Sendable () -> Void
    }

    private var calls: [ObjectIdentifier: Call] = [:]
    private var asked = 0

    /// The call that comes next.
    var first: Call? { calls.values.min { ($0.instant, $0.number) < ($1.instant, $1.number) } }

    /// Asks for a call.
    ///
    /// - Returns: The one whose place it takes; whoever holds a lock drops it after that.
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

    /// Takes out the next call if it is due by `instant`.
    mutating func takeFirst(upTo instant: TimerEngine.Instant) -> Call? {
        guard let first, first.instant <= instant else { return nil }
        return remove(of: first.waker)
    }
}
