public import FoundationEssentials

extension TimerEngine {
    /// A clock that stands still until it is told to go on: virtual time, for tests and simulations.
    ///
    /// The engines' handlers are called by ``advance(by:)``, on its thread, and have returned when it returns.
    public final class ManualClock: Clock {
        fileprivate struct Call {
            let instant: Instant
            let body: @Sendable () -> Void
        }

        fileprivate struct State {
            var now: Instant
            var date: Date
            var calls: [ObjectIdentifier: Call] = [:]
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
            while let call = nextCall(upTo: end) { call() }
            state.withLock { $0.move(to: end) }
        }

        /// Goes on for a time at once, as for a process that was stalled: whoever was to be woken is woken late.
        public func jump(by duration: Duration) {
            state.withLock { $0.move(to: $0.now + duration) }
            advance(by: .zero)
        }

        /// Whether anybody is still to be woken.
        public var isAwaited: Bool { state.withLock { !$0.calls.isEmpty } }

        /// Makes a waker of this clock.
        public func makeWaker() -> any Waker { ManualWaker(clock: self) }

        private func nextCall(upTo end: Instant) -> (@Sendable () -> Void)? {
            state.withLock { state -> (@Sendable () -> Void)? in
                guard let (waker, call) = state.calls.min(by: { $0.value.instant < $1.value.instant }),
                    call.instant <= end
                else { return nil }
                state.calls[waker] = nil
                state.move(to: call.instant)
                return call.body
            }
        }

        fileprivate func setCall(of waker: ManualWaker, to call: Call?) {
            let replaced = state.withLock { state in
                defer { state.calls[ObjectIdentifier(waker)] = call }
                return state.calls[ObjectIdentifier(waker)]
            }
            withExtendedLifetime(replaced) {}  // Dropped outside the lock: an engine may go with it.
        }
    }

    fileprivate final class ManualWaker: Waker {
        private let clock: ManualClock

        init(clock: ManualClock) {
            self.clock = clock
        }

        func wake(at instant: Instant, _ body: @escaping @Sendable () -> Void) {
            clock.setCall(of: self, to: ManualClock.Call(instant: instant, body: body))
        }

        func cancel() {
            clock.setCall(of: self, to: nil)
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
