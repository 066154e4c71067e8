internal import Glibc
internal import IoTNode
internal import TimerEngine

/// Tells a SIGHUP that says that the terminal is gone from one that asks for another configuration.
///
/// A terminal that closes sends it to its session's leader, most often a shell, which passes it on to what it started. A
/// person sends it with `kill`. A service has no terminal, and `nohup` means that the terminal's end does not matter.
struct HangUp {
    /// How long after the shell's SIGHUP a process in the background sees whether the shell, and the terminal with it,
    /// goes: with bash's `huponexit` the signal comes first.
    private static let doubt: Duration = .seconds(1)

    private enum Verdict {
        case terminalIsGone
        case reload
        /// It is for a later look at the terminal to say.
        case open(until: TimerEngine.Instant)
    }

    /// Whether the process began in a terminal whose end is to be its own.
    private let followsTerminal: Bool
    private var verdict: Verdict?

    /// Looks at how the process was started; to be made before SIGHUP is handled in another way.
    init() {
        var action = sigaction()
        // SAFETY: the call fills the struct; handlers are compared as numbers, as C does.
        let isIgnored =
            unsafe sigaction(SIGHUP, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
        followsTerminal = !isIgnored && Terminal.find() != .missing
    }

    /// When ``takeEvent(at:)`` has something to say though no signal came; nil for never.
    var nextInstant: TimerEngine.Instant? {
        if case .open(let until) = verdict { until } else { nil }
    }

    /// Notes a SIGHUP.
    ///
    /// - Parameters:
    ///   - code: where it came from, `ssi_code` of signalfd(2).
    ///   - sender: the process that sent it.
    mutating func note(code: Int32, sender: UInt32, at now: TimerEngine.Instant) {
        guard followsTerminal else {
            verdict = .reload
            return
        }
        let terminal = Terminal.find()
        let isLeaders = sender == UInt32(clamping: getsid(0))
        if code == Int32(SI_KERNEL) || terminal == .missing || (isLeaders && terminal == .foreground) {
            // Who is in the foreground has the terminal to itself: there nobody can type `kill`.
            verdict = .terminalIsGone
        } else if case nil = verdict {
            verdict = isLeaders ? .open(until: now + Self.doubt) : .reload
        }
    }

    /// What the signals so far mean, once.
    mutating func takeEvent(at now: TimerEngine.Instant) -> NodeEvent? {
        switch verdict {
        case nil: return nil
        case .open(let until) where now < until: return nil
        case .open: verdict = Terminal.find() == .missing ? .terminalIsGone : .reload
        case .terminalIsGone, .reload: break
        }
        defer { verdict = nil }
        if case .terminalIsGone = verdict { return .terminate }
        return .reloadRequested
    }
}

/// The controlling terminal of this process.
private enum Terminal {
    /// There is none, or none any more.
    case missing
    /// There is one, and what is typed there is for this process and those of its group.
    case foreground
    case background

    static func find() -> Terminal {
        let descriptor = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            // ENXIO: there is none. EIO: it has just been hung up. Anything else says nothing about it.
            return errno == ENXIO || errno == EIO || errno == ENOENT || errno == EACCES ? .missing : .background
        }
        defer { close(descriptor) }
        return tcgetpgrp(descriptor) == getpgrp() ? .foreground : .background
    }
}
