#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// A clock that stands still until it is told to go on: virtual time, for tests and simulations.
    ///
    /// The engines' handlers are called by ``advance(by:)``, on its thread, and have returned when it returns. Engines
    /// that are to be woken at one instant are woken in the order in which they asked for it.
    public final class ManualClock: Clock {
        fileprivate struct State {
            var now: Instant
            var date: Date
            var calls = CallQueue()
        }

        private let state: Monitor<State>

        /// A clock that shows an instant and a date.
        public init(
            now: Instant = Instant(sinceEpoch: .zero), date: Date = Date(timeIntervalSinceReferenceDate: 0)
        ) {
            state = Monitor(State(now: now, date: date))
        }

        /// The instant that was reached.
        public var now: Instant { state.withLock(\.now) }

        /// The date, which goes on with the clock; setting it, as somebody sets a wall clock, moves nothing else.
        public var date: Date {
            get { state.withLock(\.date) }
            set { state.withLock { $0.date = newValue } }
        }

        /// Goes on for a time, and stops at each instant for which somebody is to be woken.
        public func advance(by duration: Duration) {
            let end = now + duration
            while let call = nextCall(upTo: end) { call.body() }
            state.withLock { $0.move(to: end) }
        }

        /// Goes on for a time at once, as for a process that was stalled: whoever was to be woken is woken late.
        public func jump(by duration: Duration) {
            state.withLock { $0.move(to: $0.now + duration) }
            advance(by: .zero)
        }

        /// Whether anybody is still to be woken.
        public var isAwaited: Bool { state.withLock { $0.calls.first != nil } }

        /// Makes a waker of this clock.
        public func makeWaker() -> any Waker { ManualWaker(clock: self) }

        private func nextCall(upTo end: Instant) -> CallQueue.Call? {
            state.withLock { state in
                let call = state.calls.takeFirst(upTo: end)
                if let call { state.move(to: call.instant) }
                return call
            }
        }

        fileprivate func changeCalls(_ change: (inout CallQueue) -> CallQueue.Call?) {
            let replaced = state.withLock { change(&$0.calls) }
            withExtendedLifetime(replaced) {}  // Dropped outside the lock: an engine may go with it.
        }
    }

    fileprivate final class ManualWaker: Waker {
        private let clock: ManualClock

        init(clock: ManualClock) {
            self.clock = clock
        }

        func wake(at instant: Instant, _ body: @escaping @Sendable () -> Void) {
            clock.changeCalls { $0.set(body, at: instant, of: self) }
        }

        func cancel() {
            clock.changeCalls { $0.remove(of: self) }
        }
    }
}

extension TimerEngine.ManualClock.State {
    /// Moves on, never back.
    fileprivate mutating func move(to instant: TimerEngine.Instant) {
        guard instant > now else { return }
        date.addTimeInterval(now.duration(to: instant).inSeconds)
        now = instant
    }
}
