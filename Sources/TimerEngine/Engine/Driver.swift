/// A value that a driver runs: it takes the current time and returns the resulting events.
protocol ClockDriven: Sendable {
    associatedtype Event: Sendable

    /// When ``advance(to:)`` next has something to report; nil while not running.
    var nextInstant: TimerEngine.Instant? { get }

    mutating func advance(to now: TimerEngine.Instant) -> [Event]
}

extension TimerEngine.Countdown: ClockDriven {}
extension TimerPlayer: ClockDriven {}

/// Holds a value that runs on a clock, together with its owner's data, under one lock.
final class Driver<Value: ClockDriven, Extras: Sendable>: Sendable {
    struct State: Sendable {
        var value: Value
        /// The owner's data, such as its handlers.
        var extras: Extras

        /// Events not yet reported, in order.
        var reports: [Value.Event] = []
        /// Whether a thread is reporting; it continues until nothing is left.
        var isReporting = false
        var streams: [Int: AsyncStream<Value.Event>.Continuation] = [:]
        var streamsMade = 0
        /// When the clock will call next; nil if no call is scheduled.
        var scheduledInstant: TimerEngine.Instant?
    }

    struct Report {
        let event: Value.Event
        let extras: Extras
        let streams: [AsyncStream<Value.Event>.Continuation]
    }

    let state: Monitor<State>
    let clock: any TimerEngine.Clock
    private let waker: any TimerEngine.Waker

    init(_ value: Value, _ extras: Extras, clock: any TimerEngine.Clock) {
        state = Monitor(State(value: value, extras: extras))
        self.clock = clock
        waker = clock.makeWaker()
    }

    deinit {
        for stream in state.withLock(\.streams.values) { stream.finish() }
    }

    /// The value and the current time; the value is advanced to it even if the clock has not called yet.
    var reading: (value: Value, now: TimerEngine.Instant) {
        state.withLock { state in
            let now = clock.now
            var value = state.value
            _ = value.advance(to: now)
            return (value, now)
        }
    }

    /// Replaces a value in the owner's data. The old value is released outside the lock, because its `deinit` may call
    /// the owner.
    func replace<Part>(_ part: WritableKeyPath<Extras, Part>, with new: Part) {
        let old = state.withLock { state in
            let old = state.extras[keyPath: part]
            state.extras[keyPath: part] = new
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Schedules the clock's next call, unless it is already scheduled; call this with the lock held.
    func scheduleWake(
        at instant: TimerEngine.Instant?, _ state: inout State, _ body: @escaping @Sendable () -> Void
    ) throws(TimerEngine.ClockError) {
        guard instant != state.scheduledInstant else { return }
        if let instant { try waker.wake(at: instant, body) } else { waker.cancel() }
        state.scheduledInstant = instant
    }

    /// Returns a sequence of all events from now on.
    func makeStream() -> AsyncStream<Value.Event> {
        let (stream, continuation) = AsyncStream<Value.Event>.makeStream()
        let key = state.withLock { state in
            state.streamsMade += 1
            state.streams[state.streamsMade] = continuation
            return state.streamsMade
        }
        continuation.onTermination = { [weak self] _ in
            let ended = self?.state.withLock { $0.streams.removeValue(forKey: key) }
            withExtendedLifetime(ended) {}
        }
        return stream
    }

    /// Returns the next event to report; nil if nothing is left, or if another thread, or an outer frame of this one,
    /// is reporting.
    func nextReport(_ isMine: inout Bool) -> Report? {
        let was = isMine
        let report: Report? = state.withLock { state in
            guard was || !state.isReporting else { return nil }
            state.isReporting = !state.reports.isEmpty
            guard state.isReporting else { return nil }
            return Report(
                event: state.reports.removeFirst(), extras: state.extras, streams: Array(state.streams.values))
        }
        isMine = report != nil
        return report
    }
}

/// A class that runs a value on a clock; the extension implements its calls.
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
    /// A change to the value; returns the events to report and a result for the caller.
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
        withExtendedLifetime(before) {}  // Released outside the lock: its `deinit` may call the owner.
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
