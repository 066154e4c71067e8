internal import CLinux
internal import Glibc
package import IoTNode
package import TimerEngine

/// Signals as events: they are blocked and read from a signalfd in the same `poll` as everything else.
package final class ProcessSignals: EventSource {
    private let descriptor: FileDescriptor
    private var hangUp = HangUp()

    /// Blocks SIGTERM, SIGINT and SIGHUP for this thread and the threads that it starts later, and ignores SIGPIPE.
    ///
    /// Call it before any other thread starts.
    ///
    /// - Throws: ``SystemError`` if a system call fails; the signals then end the process as usual.
    package init() throws(SystemError) {
        var signals = sigset_t()
        // SAFETY: the calls fill or read the set and keep no pointer.
        unsafe sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, signal) }
        let number = unsafe signalfd(-1, &signals, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
        guard number >= 0 else { throw SystemError(call: "signalfd", code: errno) }
        descriptor = FileDescriptor(owning: number)
        interests = [Interest(descriptor: number, events: .read)]
        // Blocked only now: without the descriptor, nobody would read blocked signals.
        let code = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard code == 0 else { throw SystemError(call: "pthread_sigmask", code: code) }
        // This fails only for invalid signal numbers.
        signal(SIGPIPE, SIG_IGN)
    }

    /// The descriptor that becomes readable when a signal arrives.
    package let interests: [Interest]

    /// When an undecided SIGHUP will be decided; else nil.
    package var nextInstant: TimerEngine.Instant? { hangUp.nextInstant }

    /// One ``NodeEvent/terminate`` or ``NodeEvent/reloadAsked``, however many signals arrived.
    ///
    /// SIGHUP ends the node if its terminal is gone; otherwise the node reloads its configuration.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard !ready.isEmpty else { return hangUp.consumeEvent(at: now).map { [$0] } ?? [] }
        var information = signalfd_siginfo()
        var signals: Set<Int32> = []
        // SAFETY: the call fills the struct and keeps no pointer.
        while unsafe read(descriptor.number, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
            signals.insert(Int32(information.ssi_signo))
            guard information.ssi_signo == SIGHUP else { continue }
            hangUp.record(code: information.ssi_code, sender: information.ssi_pid, at: now)
        }
        // If signals cannot be read, nobody could stop the node, so it ends.
        if errno != EAGAIN, errno != EINTR { return [.terminate] }
        if signals.contains(SIGTERM) || signals.contains(SIGINT) { return [.terminate] }
        return hangUp.consumeEvent(at: now).map { [$0] } ?? []
    }
}
