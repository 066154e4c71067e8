public import FoundationEssentials
internal import Glibc

extension TimerEngine {
    /// The machine's monotonic clock, `CLOCK_BOOTTIME`: it counts from the boot, through suspension too, and does not
    /// move when somebody sets the wall clock.
    ///
    /// While an engine runs, a thread of its own waits for the next second and calls the handlers; it needs no run loop
    /// and no concurrency runtime. There is no such thread while the engine does not run.
    public struct SystemClock: Clock {
        /// The machine's clock.
        public init() {}

        /// The time since the boot.
        public var now: Instant { Self.read(CLOCK_BOOTTIME) }

        /// The system's date.
        public var date: Date { Date() }

        /// Makes a waker that has a thread while a call is to come.
        public func makeWaker() -> any Waker { ThreadWaker() }

        static func read(_ clock: clockid_t) -> Instant {
            var time = timespec()
            unsafe clock_gettime(clock, &time)
            return Instant(sinceEpoch: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
        }
    }
}
