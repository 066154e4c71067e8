package import BrokerLink
internal import CLinux
internal import Glibc
package import TimerEngine

/// Signals as events: they are blocked and read from a signalfd in the same `poll` as everything else.
package final class ProcessSignals: EventSource {
    private let descriptor: FileDescriptor
    private var hangUp = HangUp()

    /// Blocks SIGTERM, SIGINT and SIGHUP for this thread and the threads that it starts later.
    ///
    /// Call it before any other thread starts.
    ///
    /// - Throws: ``SystemError`` if a system call fails; the signals then keep their default action.
    package init() throws(SystemError) {
        var signals = sigset_t()
        // SAFETY: the calls fill or read the set and keep no pointer.
        unsafe sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, signal) }
        let number = unsafe signalfd(-1, &signals, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
        guard number >= 0 else { throw SystemError(call: "signalfd", code: errno) }
        descriptor = FileDescriptor(owning: number)
        interests = [Interest(descriptor: number, events: .read)]
        // Blocked only now: without the descriptor, nothing would read blocked signals.
        let code = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard code == 0 else { throw SystemError(call: "pthread_sigmask", code: code) }
    }

    /// The descriptor that becomes readable when a signal arrives.
    package let interests: [Interest]

    /// When the meaning of an undecided SIGHUP will be determined; nil if no SIGHUP is undecided.
    package var nextInstant: Instant? { hangUp.nextInstant }

    /// The request that a signal makes.
    package enum Request: Hashable, Sendable {
        /// To end the process: SIGTERM, SIGINT, or a SIGHUP because the terminal is gone.
        case terminate
        /// To read the configuration again: any other SIGHUP.
        case reload
    }

    /// One request, however many signals arrived.
    package func takeEvents(ready: [Interest], at now: Instant) -> [Request] {
        guard !ready.isEmpty else { return hangUp.consumeEvent(at: now).map { [$0] } ?? [] }
        var information = signalfd_siginfo()
        var signals: Set<Int32> = []
        // SAFETY: the call fills the struct and keeps no pointer.
        while unsafe read(descriptor.number, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {
            signals.insert(Int32(information.ssi_signo))
            guard information.ssi_signo == SIGHUP else { continue }
            hangUp.record(code: information.ssi_code, sender: information.ssi_pid, at: now)
        }
        // If signals cannot be read, the node could no longer be stopped, so it ends.
        if errno != EAGAIN, errno != EINTR { return [.terminate] }
        if signals.contains(SIGTERM) || signals.contains(SIGINT) { return [.terminate] }
        return hangUp.consumeEvent(at: now).map { [$0] } ?? []
    }
}

/// Distinguishes a SIGHUP sent because the terminal closed from one that requests a configuration reload.
///
/// When a terminal closes, the kernel sends SIGHUP to the session leader, usually a shell, which passes it on to its
/// jobs. An administrator sends it with `kill`. A service has no terminal, and `nohup` means that the end of the
/// terminal does not matter.
struct HangUp {
    /// How long a background process waits after the shell's SIGHUP before it checks whether the terminal is gone: with
    /// bash's `huponexit` the signal arrives before the shell exits.
    private static let decisionDelay: Duration = .seconds(1)

    private enum Verdict {
        case terminalClosed
        case reload
        /// Undecided; the terminal must be checked again at this instant.
        case undecided(until: Instant)
    }

    /// Whether the process was started from a terminal and must end when the terminal closes.
    private let followsTerminal: Bool
    private var verdict: Verdict?

    /// Inspects how the process was started; call it before SIGHUP gets another disposition.
    init() {
        var action = sigaction()
        // SAFETY: the call fills the struct; handlers are compared as integers, as in C.
        let isIgnored =
            unsafe sigaction(SIGHUP, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
        followsTerminal = !isIgnored && Terminal.find() != .missing
    }

    /// When ``consumeEvent(at:)`` has a result without another signal; nil for never.
    var nextInstant: Instant? {
        if case .undecided(let until) = verdict { until } else { nil }
    }

    /// Records a SIGHUP.
    ///
    /// - Parameters:
    ///   - code: its origin, `ssi_code` of signalfd(2).
    ///   - sender: the process id of the sender.
    mutating func record(code: Int32, sender: UInt32, at now: Instant) {
        guard followsTerminal else {
            verdict = .reload
            return
        }
        let terminal = Terminal.find()
        let isFromLeader = sender == UInt32(clamping: getsid(0))
        if code == Int32(SI_KERNEL) || terminal == .missing || (isFromLeader && terminal == .foreground) {
            // A foreground process owns the terminal, so the user cannot type `kill` there.
            verdict = .terminalClosed
        } else if case nil = verdict {
            verdict = isFromLeader ? .undecided(until: now + Self.decisionDelay) : .reload
        }
    }

    /// The event that follows from the signals so far; each is returned once.
    mutating func consumeEvent(at now: Instant) -> ProcessSignals.Request? {
        switch verdict {
        case nil: return nil
        case .undecided(let until) where now < until: return nil
        case .undecided: verdict = Terminal.find() == .missing ? .terminalClosed : .reload
        case .terminalClosed, .reload: break
        }
        defer { verdict = nil }
        if case .terminalClosed = verdict { return .terminate }
        return .reload
    }
}

/// The controlling terminal of this process.
private enum Terminal {
    /// There is no terminal, or it is gone.
    case missing
    /// There is a terminal, and this process group receives its input.
    case foreground
    case background

    static func find() -> Terminal {
        let descriptor = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            // ENXIO: there is no terminal. EIO: it has just been hung up. Other errors are unrelated to the state of
            // the terminal.
            return errno == ENXIO || errno == EIO || errno == ENOENT || errno == EACCES ? .missing : .background
        }
        defer { close(descriptor) }
        return tcgetpgrp(descriptor) == getpgrp() ? .foreground : .background
    }
}
