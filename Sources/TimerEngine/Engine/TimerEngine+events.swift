extension TimerEngine {
    /// Each tick and each transition from now on, as the handlers get them, with the instant it was due.
    ///
    /// There may be any number of these sequences, each of which is read by one task. They do not keep the engine alive.
    ///
    /// A sequence does not end at the alarm, since the engine may start again: it ends when the engine is released, or
    /// when the task that reads it is cancelled. To stop at the alarm, leave the loop at the transition to
    /// ``Mode/alarm``.
    public func events() -> AsyncStream<Countdown.Event> {
        driver.makeStream()
    }

    /// Calls `body` on the main actor with each tick and each transition from now on, in order.
    ///
    /// For a user interface, which reads what it shows from the engine then. It may come a moment later than the
    /// handlers.
    ///
    /// - Returns: What calls it; cancel that to hear no more. It does not keep the engine alive, and ends with it.
    @discardableResult
    public func onMainActor(_ body: @escaping @MainActor (Countdown.Event) -> Void) -> Task<Void, Never> {
        callOnMainActor(body)
    }
}
