import Foundation

/// A terminal as sshd or an emulator makes one, and what a person does there.
final class PseudoTerminal {
    /// The device that programs have open.
    let path: String
    private let master: Int32
    private var reader: LineReader?

    /// Makes one that nobody uses.
    init() throws {
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // What unlockpt and ptsname do, which glibc shows to X/Open sources only.
        let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
        var (isLocked, number): (Int32, Int32) = (0, 0)
        guard master >= 0, unsafe ioctl(master, unlock, &isLocked) == 0, unsafe ioctl(master, getNumber, &number) == 0
        else { throw TestFailure("there is no pseudo-terminal: \(errorText(errno))") }
        path = "/dev/pts/\(number)"
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        reader = LineReader(descriptor: master)
    }

    /// Starts a program as the leader of a session of its own, whose terminal this is.
    func start(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        let words = arguments.map(Shell.quote).joined(separator: " ")
        return try ChildProcess(
            "sh", ["-c", "exec setsid --ctty \(words) <>\(path) >&0 2>&0"],
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
    }

    /// Starts a shell with job control, in which commands are typed.
    func startShell(arguments: [String] = []) throws -> ChildProcess {
        try start(["bash", "--norc", "--noprofile"] + arguments + ["-i"], environment: ["PS1": "> "])
    }

    /// Types something; control characters are what the keys send: `\u{13}` is Ctrl-S.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(master, bytes, bytes.count)
    }

    /// What it shows so far.
    var lines: [String] {
        reader?.read()
        return reader?.lines ?? []
    }

    /// The same, with a last line that has no end yet, such as a question.
    var text: String {
        reader?.read()
        return reader?.text ?? ""
    }

    /// Closes the window.
    func close() { reader = nil }
}

/// The processes that have a text in their environment, which a child has from its parent; zombies not.
func processes(withEnvironment text: String) -> [pid_t] {
    let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return ids.filter { id in
        guard let environment = FileManager.default.contents(atPath: "/proc/\(id)/environ") else { return false }
        return String(decoding: environment, as: UTF8.self).contains(text)
    }
}
