internal import Glibc

/// A value that one thread at a time reads or changes, and that a thread can wait for.
///
/// Made of the C library's mutex rather than the standard library's `Mutex`: the thread sanitizer does not know the futex
/// in the latter on Linux, reports a race at each use of it, and would hide the real ones among these.
@safe final class Monitor<Value: Sendable>: @unchecked Sendable {
    // SAFETY: the addresses never change, and the value is touched only with the mutex held.
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
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Reads or changes the value; the body must not come back here.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }

    /// Has the thread that waits look at the value again.
    func signal() {
        unsafe pthread_cond_signal(condition)
    }

    /// Waits until the value is as wanted, for at most this long and at most a second.
    func wait(for duration: Duration, until isWanted: (Value) -> Bool) {
        // A second at most: this clock, unlike the one that the timers go by, stands still while the machine sleeps.
        var deadline = timespec(TimerEngine.SystemClock.read(CLOCK_MONOTONIC).sinceEpoch + min(duration, .seconds(1)))
        unsafe pthread_mutex_lock(mutex)
        while !isWanted(value), unsafe pthread_cond_timedwait(condition, mutex, &deadline) == 0 {}
        unsafe pthread_mutex_unlock(mutex)
    }
}

extension timespec {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
