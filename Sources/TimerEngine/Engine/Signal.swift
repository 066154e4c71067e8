internal import Glibc

/// A flag that one thread waits for and others raise, with a deadline on the monotonic clock.
@safe final class Signal: @unchecked Sendable {
    // SAFETY: the addresses never change, and the flag is touched only with the mutex held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isRaised = false

    init() {
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

    func raise() {
        unsafe pthread_mutex_lock(mutex)
        isRaised = true
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Waits until the flag is raised, for at most this long, and lowers it.
    func wait(for duration: Duration) {
        // A second at most: this clock, unlike the one that the timers go by, stands still while the machine sleeps.
        var deadline = timespec(
            TimerEngine.SystemClock.read(CLOCK_MONOTONIC).sinceEpoch + min(duration, .seconds(1)))
        unsafe pthread_mutex_lock(mutex)
        while !isRaised, unsafe pthread_cond_timedwait(condition, mutex, &deadline) == 0 {}
        isRaised = false
        unsafe pthread_mutex_unlock(mutex)
    }
}

extension timespec {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
