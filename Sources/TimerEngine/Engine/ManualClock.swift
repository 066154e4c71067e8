#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// A clock that stands still until it is advanced: virtual time, for tests and simulations.
    ///
    /// ``advance(by:)`` calls the engines' handlers on the calling thread and returns after they have returned. Engines
    /// due at the same instant are woken in the order in which they scheduled their calls.
    public final class ManualClock: Clock {
        fileprivate struct State {
            var now: Instant
            var date: Date
            var calls = CallQueue()
        }

        private let state: Monitor<State>

        /// Creates a clock at an instant and a date.
        public init(
            now: Instant = Instant(sinceEpoch: .zero), date: Date = Date(timeIntervalSinceReferenceDate: 0)
        ) {
            state = Monitor(State(now: now, date: date))
        }

        /// The current instant.
        public var now: Instant { state.withLock(\.now) }

        /// The date, which advances with the clock. Setting it changes nothing else, as with a wall clock.
        public var date: Date {
            get { state.withLock(\.date) }
            set { state.withLock { $0.date = newValue } }
        }

        /// Advances by a duration, stopping at each instant at which an engine is due.
        public func advance(by duration: Duration) {
            let end = now + duration
            while let call = nextCall(upTo: end) { call.body() }
            state.withLock { $0.move(to: end) }
        }

        /// Advances by a duration in one step, like a process that was stalled: engines that were due are woken late.
        public func jump(by duration: Duration) {
            state.withLock { $0.move(to: $0.now + duration) }
            advance(by: .zero)
        }

        /// Whether a call is scheduled.
        public var isAwaited: Bool { state.withLock { $0.calls.first != nil } }

        /// Creates a waker of this clock.
        public func makeWaker() -> any Waker { ManualWaker(clock: self) }

        private func nextCall(upTo end: Instant) -> CallQueue.Call? {
            state.withLock { state in
                let call = state.calls.removeFirst(upTo: end)
                if let call { state.move(to: call.instant) }
                return call
            }
        }

        fileprivate func changeCalls(_ change: (inout CallQueue) -> CallQueue.Call?) {
            let replaced = state.withLock { change(&$0.calls) }
            withExtendedLifetime(replaced) {}  // Outside the lock: this may release an engine.
        }
    }

    fileprivate final class ManualWaker: Waker {
        private let clock: ManualClock

        init(clock: ManualClock) {
            self.clock = clock
        }

        func wake(at instant: Instant, _ body: @escaping @Sendable () -> Void) {
            clock.changeCalls { $0.schedule(body, at: instant, of: self) }
        }

        func cancel() {
            clock.changeCalls { $0.cancel(of: self) }
        }
    }
}

extension TimerEngine.ManualClock.State {
    /// Moves forward, never back.
    fileprivate mutating func move(to instant: TimerEngine.Instant) {
        guard instant > now else { return }
        date.addTimeInterval(now.duration(to: instant).inSeconds)
        now = instant
    }
}
