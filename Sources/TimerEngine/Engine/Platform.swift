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
        // SAFETY: the thread takes ownership of the retained reference, and nothing else releases it.
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
            throw TimerEngine.ClockError("cannot create a thread for the timers: error \(fault)")
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

/// A value protected by a mutex, with a condition to wait for.
///
/// It uses the C library's mutex instead of the standard library's `Mutex`. On Linux, the latter uses a futex, which
/// the thread sanitizer does not understand: it would report a race at each use and so hide real races.
@safe final class Monitor<Value: Sendable>: @unchecked Sendable {
    // SAFETY: the addresses never change, and the value is accessed only with the mutex held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    init(_ value: Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)

        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        #if canImport(Darwin)
            unsafe pthread_cond_init(condition, nil)
        #else
            var attributes = pthread_condattr_t()
            unsafe pthread_condattr_init(&attributes)
            unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            unsafe pthread_cond_init(condition, &attributes)
            unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Reads or changes the value.
    ///
    /// The body must not call this again, and must not release anything whose `deinit` might; release such values
    /// afterwards.
    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Makes the waiting thread check the value again.
    func signal() {
        unsafe pthread_cond_signal(condition)
    }

    /// Waits for a signal, for at most `duration` and at most a second. Returns at once if the value already meets the
    /// condition.
    ///
    /// It may return early, so check the value and the clock again.
    func wait(for duration: Duration, unless isWanted: (Value) -> Bool) {
        // At most a second: unlike the timers' clock, this clock stands still while the machine sleeps.
        let duration = min(duration, .seconds(1))
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        if isWanted(value) { return }
        #if canImport(Darwin)
            var time = timespec(max(.zero, duration))
            unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            var deadline = timespec(Platform.read(CLOCK_MONOTONIC).sinceEpoch + duration)
            unsafe pthread_cond_timedwait(condition, mutex, &deadline)
        #endif
    }
}

extension timespec {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
