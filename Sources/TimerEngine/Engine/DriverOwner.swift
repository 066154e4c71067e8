/// A class that runs a value on a clock: how its calls are done.
protocol DriverOwner: AnyObject, Sendable {
    associatedtype Value: ClockDriven
    associatedtype Extras: Sendable
    /// Why a call is refused.
    associatedtype Failure: Error

    var driver: Driver<Value, Extras> { get }

    /// Calls the handlers.
    func report(_ event: Value.Event, _ extras: Extras)

    static func failure(_ error: TimerEngine.ClockError) -> Failure
}

extension DriverOwner {
    /// What a change brings about: events to report, and an answer for the caller.
    typealias Change<Answer> = (
        _ value: inout Value, _ extras: inout Extras, _ now: TimerEngine.Instant
    ) throws(Failure) -> (events: [Value.Event], answer: Answer)

    /// Changes the value, has the clock call when something is due next, and reports what happened.
    ///
    /// Where the change throws, or the clock cannot call, nothing changed.
    @discardableResult
    func perform<Answer: Sendable>(
        wokenUp: Bool = false, _ change: Change<Answer>
    ) throws(Failure) -> Answer {
        var before: Extras?
        let answer = try driver.state.withLock { (state) throws(Failure) in
            before = state.extras
            if wokenUp { state.awaited = nil }
            var (value, extras) = (state.value, state.extras)
            let (events, answer) = try change(&value, &extras, driver.clock.now)
            do throws(TimerEngine.ClockError) {
                try driver.wake(at: value.nextInstant, &state) { self.catchUp() }
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
        // A clock that has called can call again.
        try? perform(wokenUp: true) { (value, _, now) throws(Failure) in (value.advance(to: now), ()) }
    }

    /// Reports until nothing is left.
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
