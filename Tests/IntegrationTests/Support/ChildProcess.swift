import Foundation

/// A child process of a test, with its output as lines and its exit status. It is killed by its own id when the object
/// is deinitialised.
///
/// Nothing runs in the background. The output is read while the test waits for something; until then it stays in the
/// pipes.
final class ChildProcess {
    /// How a process ended.
    enum ExitStatus: Equatable {
        /// The process exited on its own, with a code.
        case exited(Int32)
        /// A signal ended the process.
        case signalled(Int32)
    }

    /// The process id.
    let pid: pid_t
    /// The lines of standard output so far.
    var output: [String] { standardOutput.lines }
    /// Standard output so far, including an unfinished last line.
    var outputText: String { standardOutput.text }
    /// The lines of standard error so far.
    var errors: [String] { standardError.lines }

    private let standardOutput: LineReader
    private let standardError: LineReader
    private var status: ExitStatus?

    /// Starts a program, found by its path or in the search path, with variables in addition to the test's environment.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let (output, error) = (try Pipe(), try Pipe())
        standardOutput = LineReader(descriptor: output.read)
        standardError = LineReader(descriptor: error.read)
        defer {
            close(output.write)
            close(error.write)
        }
        pid = try spawn(
            [program] + arguments, output: output.write, error: error.write,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    }

    /// Starts a shell command line. Its last command should be an `exec`, so signals reach it.
    convenience init(shell commandLine: String) throws { try self.init("sh", ["-c", commandLine]) }

    deinit {
        if exitStatus() == nil {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
    }

    /// Sends a signal if the process is still running.
    func signal(_ number: Int32) {
        if exitStatus() == nil { kill(pid, number) }
    }

    /// Waits for the first line of standard output or standard error that matches, and returns it.
    @discardableResult
    func waitForLine(
        _ what: String = "a line", timeout: Duration = longestWait, where matches: (String) -> Bool
    ) throws -> String {
        var found: String?
        try wait(for: "\(what) in the output of process \(pid)", timeout: timeout) {
            // Checked before reading, so the last lines of a process that has ended are seen.
            let ended = exitStatus() != nil
            read()
            found = (output + errors).first(where: matches)
            if ended, found == nil {
                throw TestFailure("process \(pid) ended without \(what):\n\((output + errors).joined(separator: "\n"))")
            }
            return found != nil
        }
        return found ?? ""
    }

    /// Waits for a condition that depends on the output or the exit of the process.
    func wait(for what: String, timeout: Duration = longestWait, _ condition: () throws -> Bool) throws {
        try waitUntil(what, timeout: timeout, pause: waitForOutput, condition)
    }

    /// Waits until there is output to read, or for a moment if both streams are closed.
    private func waitForOutput() {
        let streams = [standardOutput, standardError].filter(\.isOpen)
        var watched = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        // The streams stay open after the process ends if one of its own children also holds them.
        let ready = unsafe poll(&watched, nfds_t(watched.count), streams.count == 2 ? 50 : 5)
        // The condition is checked a few times rather than for every line that arrives.
        if ready > 0 { usleep(1_000) }
    }

    /// Reads the available output from both streams.
    func read() {
        standardOutput.read()
        standardError.read()
    }

    /// Waits for the process to exit.
    @discardableResult
    func waitForExit(timeout: Duration = longestWait) throws -> ExitStatus {
        var ended: ExitStatus?
        try wait(for: "the end of process \(pid)", timeout: timeout) {
            ended = exitStatus()
            read()
            return ended != nil
        }
        return ended ?? .exited(-1)
    }

    /// Sends a signal and waits for the process to end.
    @discardableResult
    func terminate(by number: Int32 = SIGTERM, timeout: Duration = longestWait) throws -> ExitStatus {
        signal(number)
        return try waitForExit(timeout: timeout)
    }

    /// The paths of the process's open files.
    var descriptors: [String] {
        get throws {
            let folder = "/proc/\(pid)/fd"
            // A descriptor may be closed while they are listed.
            return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
        }
    }

    /// The memory that the process uses at present, in MiB.
    var residentMebibytes: Double {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return (line?.split(separator: " ").dropLast().last.flatMap { Double($0) } ?? 0) / 1024
        }
    }

    /// How the process ended; nil while it runs.
    func exitStatus() -> ExitStatus? {
        if let status { return status }
        var raw: Int32 = 0
        guard unsafe waitpid(pid, &raw, WNOHANG) == pid else { return nil }
        let signal = raw & 0x7f
        status = signal == 0 ? .exited((raw >> 8) & 0xff) : .signalled(signal)
        return status
    }
}
