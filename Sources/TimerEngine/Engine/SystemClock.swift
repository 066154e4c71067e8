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
    /// no concurrency runtime. While nothing runs, this thread does not exist. A slow handler delays the others, so do
    /// long work elsewhere.
    public struct SystemClock: Clock {
        /// Creates the system clock.
        public init() {}

        /// The time since boot.
        public var now: Instant { Platform.read() }

        /// The system date.
        public var date: Date { Date() }

        /// Creates a waker that the single timer thread of the process serves.
        public func makeWaker() -> any Waker { SystemWaker() }
    }
}

/// A waker served by the timer thread.
private final class SystemWaker: TimerEngine.Waker {
    func wake(at instant: TimerEngine.Instant, _ body: @escaping @Sendable () -> Void) throws(TimerEngine.ClockError) {
        try TimerThread.shared.schedule(body, at: instant, of: self)
    }

    func cancel() {
        TimerThread.shared.cancel(of: self)
    }
}

/// The thread that makes all calls of the system clock; it exists while a call is scheduled.
final class TimerThread: Sendable {
    /// The only instance in the process.
    static let shared = TimerThread()

    private struct State {
        var calls = CallQueue()
        var hasThread = false
    }

    private let state = Monitor(State())

    /// Whether the thread is running.
    var isRunning: Bool { state.withLock(\.hasThread) }

    func schedule(
        _ body: @escaping @Sendable () -> Void, at instant: TimerEngine.Instant, of waker: any TimerEngine.Waker
    ) throws(TimerEngine.ClockError) {
        let replaced = try state.withLock { (state) throws(TimerEngine.ClockError) in
            if !state.hasThread {
                try Platform.startThread { self.run() }
                state.hasThread = true
            }
            return state.calls.schedule(body, at: instant, of: waker)
        }
        state.signal()
        withExtendedLifetime(replaced) {}  // Outside the lock: this may release an engine.
    }

    func cancel(of waker: any TimerEngine.Waker) {
        let removed = state.withLock { $0.calls.cancel(of: waker) }
        if removed != nil { state.signal() }
    }

    private enum Step {
        case call(CallQueue.Call)
        case wait(until: TimerEngine.Instant)
        case end
    }

    private func nextStep() -> Step {
        state.withLock { state in
            guard let next = state.calls.first else {
                state.hasThread = false
                return .end
            }
            return state.calls.removeFirst(upTo: Platform.read()).map(Step.call) ?? .wait(until: next.instant)
        }
    }

    private func run() {
        while true {
            switch nextStep() {
            case .call(let call): call.body()
            case .wait(let instant):
                state.wait(for: Platform.read().duration(to: instant)) { $0.calls.first?.instant != instant }
            case .end: return
            }
        }
    }
}
