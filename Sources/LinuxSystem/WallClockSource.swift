internal import CLinux
internal import Glibc
package import IoTNode
package import TimerEngine

/// Reports when the wall clock is set: by hand, or by its first synchronisation after boot.
package final class WallClockSource: EventSource {
    private let timer: FileDescriptor

    /// Watches `CLOCK_REALTIME`.
    ///
    /// - Throws: ``SystemError`` if a system call fails.
    package init() throws(SystemError) {
        let number = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        guard number >= 0 else { throw SystemError(call: "timerfd_create", code: errno) }
        timer = FileDescriptor(owning: number)
        interests = [Interest(descriptor: number, events: .read)]
        guard arm() else { throw SystemError(call: "timerfd_settime", code: errno) }
    }

    /// Readable when the clock was set.
    package let interests: [Interest]

    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard !ready.isEmpty else { return [] }
        var expirations: UInt64 = 0
        // SAFETY: the call fills the number and keeps no pointer.
        let count = unsafe read(timer.number, &expirations, MemoryLayout<UInt64>.size)
        // ECANCELED means that the clock was set.
        guard count < 0, errno == ECANCELED else { return [] }
        // This cannot fail: the same call succeeded in `init`.
        _ = arm()
        return [.wallClockSet]
    }

    /// Sets the timer to a date that never comes; setting the clock cancels it. Returns whether the timer is set.
    private func arm() -> Bool {
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        // SAFETY: the call reads the struct and keeps no pointer. ECANCELED means that the clock was set just now; the
        // timer is armed anyway, and later readings of the clock return the new time.
        return unsafe timerfd_settime(timer.number, flags, &never, nil) == 0 || errno == ECANCELED
    }
}
