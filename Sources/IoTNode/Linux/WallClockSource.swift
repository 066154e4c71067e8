internal import CLinux
internal import Glibc
public import TimerEngine

/// Tells when somebody sets the wall clock: by hand, or the first time it is synchronised after the start.
public final class WallClockSource: EventSource {
    private let timer: FileDescriptor

    /// Watches `CLOCK_REALTIME`.
    public init() {
        timer = FileDescriptor(owning: timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC)))
        arm()
    }

    /// The descriptor that becomes readable with a change.
    public var interests: [Interest] { [Interest(descriptor: timer.number, events: .read)] }

    /// One ``NodeEvent/wallClockSet`` for each change.
    public func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard !ready.isEmpty else { return [] }
        var expirations: UInt64 = 0
        // SAFETY: the call fills the number and keeps no pointer. It fails with ECANCELED, which is the news.
        _ = unsafe read(timer.number, &expirations, MemoryLayout<UInt64>.size)
        arm()
        return [.wallClockSet]
    }

    /// Sets the timer to a date that never comes, to be cancelled when the clock is set.
    private func arm() {
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        // SAFETY: the call reads the struct and keeps no pointer.
        _ = unsafe timerfd_settime(timer.number, flags, &never, nil)
    }
}
