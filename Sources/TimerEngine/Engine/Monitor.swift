#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A value protected by a mutex, with a condition to wait for.
///
/// It uses the C library's mutex instead of the standard library's `Mutex`: the thread sanitizer does not know the
/// futex of the latter on Linux and reports a race at each use, which would hide real races.
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

    /// Waits for a signal, unless the value is as wanted; for at most this duration and at most a second.
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
