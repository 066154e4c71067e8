#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// The machine's monotonic clock (`CLOCK_BOOTTIME` on Linux): it counts from the boot, through suspension too, and
    /// does not move when somebody sets the wall clock.
    ///
    /// While anything runs on it, one thread waits for the next second and calls the handlers of all that runs; it needs
    /// no run loop and no concurrency runtime. There is no such thread while nothing runs. A handler that takes its time
    /// makes the others wait: what takes long belongs elsewhere.
    public struct SystemClock: Clock {
        /// The machine's clock.
        public init() {}

        /// The time since the boot.
        public var now: Instant { Platform.read() }

        /// The system's date.
        public var date: Date { Date() }

        /// Makes a waker that is called by the process's one timer thread.
        public func makeWaker() -> any Waker { SystemWaker() }
    }
}

/// One of the wakers that the timer thread serves.
private final class SystemWaker: TimerEngine.Waker {
    func wake(at instant: TimerEngine.Instant, _ body: @escaping @Sendable () -> Void) throws(TimerEngine.ClockError) {
        try TimerThread.shared.setCall(body, at: instant, of: self)
    }

    func cancel() {
        TimerThread.shared.removeCall(of: self)
    }
}
