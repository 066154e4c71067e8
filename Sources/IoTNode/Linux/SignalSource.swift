internal import CLinux
internal import Glibc
public import TimerEngine

/// Signals as events: they are blocked, and read from a descriptor like everything else the loop waits for.
public final class SignalSource: EventSource {
    private let descriptor: Int32
    private var hangUp = HangUp()

    /// Blocks SIGTERM, SIGINT and SIGHUP for this thread and those it starts, and ignores SIGPIPE.
    ///
    /// Call it before any other thread is started.
    public init() {
        var signals = sigset_t()
        // SAFETY: the calls fill or read the set and keep no pointer.
        unsafe sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        descriptor = unsafe signalfd(-1, &signals, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        close(descriptor)
    }

    /// The descriptor that becomes readable with a signal.
    public var interests: [Interest] { [Interest(descriptor: descriptor, events: .read)] }

    /// When it is clear what a SIGHUP means whose meaning is open; else nil.
    public var nextInstant: TimerEngine.Instant? { hangUp.nextInstant }

    /// One ``NodeEvent/terminate`` or ``NodeEvent/reloadAsked`` for however many signals there were.
    ///
    /// SIGHUP ends a node whose terminal is gone, and has any other read its configuration again.
    public func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard !ready.isEmpty else { return hangUp.takeEvent(at: now).map { [$0] } ?? [] }
        var information = signalfd_siginfo()
        var signals: Set<Int32> = []
        // SAFETY: the call fills the struct and keeps no pointer.
        while unsafe read(descriptor, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
            signals.insert(Int32(information.ssi_signo))
            guard information.ssi_signo == SIGHUP else { continue }
            hangUp.note(code: information.ssi_code, sender: information.ssi_pid, at: now)
        }
        if signals.contains(SIGTERM) || signals.contains(SIGINT) { return [.terminate] }
        return hangUp.takeEvent(at: now).map { [$0] } ?? []
    }
}
