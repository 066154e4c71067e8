import Foundation

/// A terminal such as sshd or an emulator creates, with simulated typing.
final class PseudoTerminal {
    /// The path of the device that programs open.
    let path: String
    private let master: Int32
    private var reader: LineReader?

    /// Creates a terminal that no program uses yet.
    init() throws {
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // The requests behind unlockpt and ptsname, which glibc declares only for X/Open sources.
        let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
        var (isLocked, number): (Int32, Int32) = (0, 0)
        guard master >= 0, unsafe ioctl(master, unlock, &isLocked) == 0, unsafe ioctl(master, getNumber, &number) == 0
        else { throw TestFailure("cannot create a pseudo-terminal: \(errorText(errno))") }
        path = "/dev/pts/\(number)"
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        reader = LineReader(descriptor: master)
    }

    /// Starts a program as the leader of a new session, whose terminal this is.
    func start(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        let words = arguments.map(Shell.quote).joined(separator: " ")
        return try ChildProcess(
            "sh", ["-c", "exec setsid --ctty \(words) <>\(path) >&0 2>&0"],
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
    }

    /// Starts an interactive shell with job control.
    func startShell(arguments: [String] = []) throws -> ChildProcess {
        try start(["bash", "--norc", "--noprofile"] + arguments + ["-i"], environment: ["PS1": "> "])
    }

    /// Types text, in which control characters stand for keys: `\u{13}` is Ctrl-S.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(master, bytes, bytes.count)
    }

    /// The lines shown so far.
    var lines: [String] {
        reader?.read()
        return reader?.lines ?? []
    }

    /// The text shown so far, including an unfinished last line, such as a question.
    var text: String {
        reader?.read()
        return reader?.text ?? ""
    }

    /// Closes the window.
    func close() { reader = nil }
}

/// The processes, except zombies, whose environment contains a string; child processes inherit it.
func processes(withEnvironment text: String) -> [pid_t] {
    let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return ids.filter { id in
        guard let environment = FileManager.default.contents(atPath: "/proc/\(id)/environ") else { return false }
        return String(decoding: environment, as: UTF8.self).contains(text)
    }
}
