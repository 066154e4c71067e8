internal import CLinux
internal import Glibc
package import IoTNode
package import TimerEngine

/// Tells when somebody sets the wall clock: by hand, or the first time it is synchronised after the start.
package final class WallClockSource: EventSource {
    private let timer: FileDescriptor

    /// Watches `CLOCK_REALTIME`.
    ///
    /// - Throws: ``SystemError`` where the system refuses.
    package init() throws(SystemError) {
        let number = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        guard number >= 0 else { throw SystemError(call: "timerfd_create", code: errno) }
        timer = FileDescriptor(owning: number)
        interests = [Interest(descriptor: number, events: .read)]
        guard arm() else { throw SystemError(call: "timerfd_settime", code: errno) }
    }

    /// The descriptor that becomes readable with a change.
    package let interests: [Interest]

    /// One ``NodeEvent/wallClockSet`` for each change.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard !ready.isEmpty else { return [] }
        var expirations: UInt64 = 0
        // SAFETY: the call fills the number and keeps no pointer.
        let count = unsafe read(timer.number, &expirations, MemoryLayout<UInt64>.size)
        // That it fails with ECANCELED is the news.
        guard count < 0, errno == ECANCELED else { return [] }
        // Nothing can be wrong with it that was not when it was armed first.
        _ = arm()
        return [.wallClockSet]
    }

    /// Sets the timer to a date that never comes, to be cancelled when the clock is set; returns whether it is set.
    private func arm() -> Bool {
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        // SAFETY: the call reads the struct and keeps no pointer. With ECANCELED, for a clock that was set just now, the
        // timer is set as well; what is read of the clock afterwards is its new time.
        return unsafe timerfd_settime(timer.number, flags, &never, nil) == 0 || errno == ECANCELED
    }
}
