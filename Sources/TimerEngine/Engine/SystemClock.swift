#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// The system's monotonic clock (`CLOCK_BOOTTIME` on Linux): it counts from boot, including suspension, and is not
    /// affected by setting the wall clock.
    ///
    /// While anything runs on it, one thread waits for the next second and calls all handlers; it needs no run loop and
    /// no concurrency runtime. While nothing runs, there is no such thread. A slow handler delays the others, so do
    /// long work elsewhere.
    public struct SystemClock: Clock {
        /// Creates the system clock.
        public init() {}

        /// The time since boot.
        public var now: Instant { Platform.read() }

        /// The system date.
        public var date: Date { Date() }

        /// Creates a waker that is called by the process's single timer thread.
        public func makeWaker() -> any Waker { SystemWaker() }
    }
}

/// A waker served by the timer thread.
private final class SystemWaker: TimerEngine.Waker {
    func wake(at instant: TimerEngine.Instant, _ body: @escaping @Sendable () -> Void) throws(TimerEngine.ClockError) {
        try TimerThread.shared.setCall(body, at: instant, of: self)
    }

    func cancel() {
        TimerThread.shared.removeCall(of: self)
    }
}
