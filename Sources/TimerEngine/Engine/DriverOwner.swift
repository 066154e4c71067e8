/// A class that runs a value on a clock; implements its calls.
protocol DriverOwner: AnyObject, Sendable {
    associatedtype Value: ClockDriven
    associatedtype Extras: Sendable
    /// Why a call was refused.
    associatedtype Failure: Error

    var driver: Driver<Value, Extras> { get }

    /// Calls the handlers.
    func report(_ event: Value.Event, _ extras: Extras)

    static func failure(_ error: TimerEngine.ClockError) -> Failure
}

extension DriverOwner {
    /// A change to the value; returns the events to report and an answer for the caller.
    typealias Change<Answer> = (
        _ value: inout Value, _ extras: inout Extras, _ now: TimerEngine.Instant
    ) throws(Failure) -> (events: [Value.Event], answer: Answer)

    /// Changes the value, schedules the next wake-up, and reports what happened.
    ///
    /// If the change throws or the clock cannot wake the owner, nothing changes.
    @discardableResult
    func perform<Answer: Sendable>(
        isWakeUp: Bool = false, _ change: Change<Answer>
    ) throws(Failure) -> Answer {
        var before: Extras?
        let answer = try driver.state.withLock { (state) throws(Failure) in
            before = state.extras
            if isWakeUp { state.scheduledInstant = nil }
            var (value, extras) = (state.value, state.extras)
            let (events, answer) = try change(&value, &extras, driver.clock.now)
            do throws(TimerEngine.ClockError) {
                try driver.scheduleWake(at: value.nextInstant, &state) { self.catchUp() }
            } catch { throw Self.failure(error) }
            (state.value, state.extras) = (value, extras)
            state.reports += events
            return answer
        }
        withExtendedLifetime(before) {}  // Dropped outside the lock: its `deinit` may call the owner.
        report()
        return answer
    }

    private func catchUp() {
        // This cannot fail: a clock that has just called can call again.
        try? perform(isWakeUp: true) { (value, _, now) throws(Failure) in (value.advance(to: now), ()) }
    }

    /// Reports all pending events.
    private func report() {
        var isMine = false
        while let next = driver.nextReport(&isMine) {
            report(next.event, next.extras)
            for stream in next.streams { stream.yield(next.event) }
        }
    }

    /// Calls `body` on the main actor with each event from now on.
    func callOnMainActor(_ body: @escaping @MainActor (Value.Event) -> Void) -> Task<Void, Never> {
        let events = driver.makeStream()
        return Task { @MainActor in
            for await event in events { body(event) }
        }
    }
}
