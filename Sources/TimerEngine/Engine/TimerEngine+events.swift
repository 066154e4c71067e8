extension TimerEngine {
    /// All ticks and transitions from now on, as the handlers get them, with the instants at which they were due.
    ///
    /// There may be any number of these sequences; each must be read by one task. They do not keep the engine alive.
    ///
    /// A sequence does not end at the alarm, since the engine may start again: it ends when the engine is released, or
    /// when the task that reads it is cancelled. To stop at the alarm, leave the loop at the transition to
    /// ``Mode/alarm``.
    public func events() -> AsyncStream<Countdown.Event> {
        driver.makeStream()
    }

    /// Calls `body` on the main actor with each tick and each transition from now on, in order.
    ///
    /// For a user interface, which then reads from the engine what it shows. The call may come slightly later than the
    /// handlers.
    ///
    /// - Returns: The task that calls it; cancel it to stop. It does not keep the engine alive, and ends with the
    ///   engine.
    @discardableResult
    public func onMainActor(_ body: @escaping @MainActor (Countdown.Event) -> Void) -> Task<Void, Never> {
        callOnMainActor(body)
    }
}
