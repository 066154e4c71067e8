// The differences between the C libraries. Only Linux is tested; the Darwin branches have never been run.
#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The machine's clocks and threads.
enum Platform {
    /// Counts from boot, including suspension, and is not affected by setting the wall clock.
    static var timerClock: clockid_t {
        #if canImport(Darwin)
            CLOCK_MONOTONIC_RAW
        #else
            CLOCK_BOOTTIME
        #endif
    }

    static func read(_ clock: clockid_t = timerClock) -> TimerEngine.Instant {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return TimerEngine.Instant(sinceEpoch: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }

    /// Runs a body on a new thread, which ends when the body returns.
    static func startThread(_ body: @Sendable @escaping () -> Void) throws(TimerEngine.ClockError) {
        // SAFETY: the thread takes over the retained reference, and nothing else releases it.
        let argument = unsafe Unmanaged.passRetained(ThreadBody(run: body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let fault = unsafe pthread_create(&thread, nil, { unsafe runThread($0) }, argument.toOpaque())
        #else
            var thread = pthread_t()
            let fault = unsafe pthread_create(&thread, nil, { unsafe runThread($0) }, argument.toOpaque())
        #endif
        guard fault == 0 else {
            unsafe argument.release()
            throw TimerEngine.ClockError("no thread can be made for the timers: error \(fault)")
        }
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @Sendable @escaping () -> Void) { self.run = run }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    pthread_detach(pthread_self())
    if let argument = unsafe argument {
        unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    }
    return nil
}
