internal import CLinux
internal import Glibc
package import IoTNode
package import TimerEngine

/// Signals as events: they are blocked, and read from a descriptor like everything else the loop waits for.
package final class ProcessSignals: EventSource {
    private let descriptor: FileDescriptor
    private var hangUp = HangUp()

    /// Blocks SIGTERM, SIGINT and SIGHUP for this thread and those it starts, and ignores SIGPIPE.
    ///
    /// Call it before any other thread is started.
    ///
    /// - Throws: ``SystemError`` where the system refuses; the signals then end the process, as they do any other.
    package init() throws(SystemError) {
        var signals = sigset_t()
        // SAFETY: the calls fill or read the set and keep no pointer.
        unsafe sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, signal) }
        let number = unsafe signalfd(-1, &signals, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
        guard number >= 0 else { throw SystemError(call: "signalfd", code: errno) }
        descriptor = FileDescriptor(owning: number)
        interests = [Interest(descriptor: number, events: .read)]
        // Only now: what nobody reads must not be blocked.
        let code = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard code == 0 else { throw SystemError(call: "pthread_sigmask", code: code) }
        // It fails for numbers alone that are no signals.
        signal(SIGPIPE, SIG_IGN)
    }

    /// The descriptor that becomes readable with a signal.
    package let interests: [Interest]

    /// When it is clear what a SIGHUP means whose meaning is open; else nil.
    package var nextInstant: TimerEngine.Instant? { hangUp.nextInstant }

    /// One ``NodeEvent/terminate`` or ``NodeEvent/reloadRequested`` for however many signals there were.
    ///
    /// SIGHUP ends a node whose terminal is gone, and has any other read its configuration again.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard !ready.isEmpty else { return hangUp.takeEvent(at: now).map { [$0] } ?? [] }
        var information = signalfd_siginfo()
        var signals: Set<Int32> = []
        // SAFETY: the call fills the struct and keeps no pointer.
        while unsafe read(descriptor.number, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
            signals.insert(Int32(information.ssi_signo))
            guard information.ssi_signo == SIGHUP else { continue }
            hangUp.note(code: information.ssi_code, sender: information.ssi_pid, at: now)
        }
        // Signals that cannot be read would leave a node that nobody can stop.
        if errno != EAGAIN, errno != EINTR { return [.terminate] }
        if signals.contains(SIGTERM) || signals.contains(SIGINT) { return [.terminate] }
        return hangUp.takeEvent(at: now).map { [$0] } ?? []
    }
}
