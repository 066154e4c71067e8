import Foundation

/// A process of a test: its output as lines, its exit, and its end with the test, by its own id.
///
/// Nothing runs in the background. The output is read while the test waits for something; until then the pipes hold it.
final class ChildProcess {
    /// How a process ended.
    enum ExitStatus: Equatable {
        /// By itself, with a code.
        case exited(Int32)
        /// By a signal.
        case signalled(Int32)
    }

    /// The process id.
    let pid: pid_t
    /// The lines of standard output so far.
    var output: [String] { standardOutput.lines }
    /// Standard output so far, with a last line that has no end yet.
    var outputText: String { standardOutput.text }
    /// The lines of standard error so far.
    var errors: [String] { standardError.lines }

    private let standardOutput: LineReader
    private let standardError: LineReader
    private var status: ExitStatus?

    /// Starts a program, found by its path or in the search path, with this environment besides the test's own.
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

    /// Starts a shell command line, whose last command should be an `exec`, so that signals reach it.
    convenience init(shell commandLine: String) throws { try self.init("sh", ["-c", commandLine]) }

    deinit {
        if exitStatus() == nil {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
    }

    /// Sends a signal, where the process still runs.
    func signal(_ number: Int32) {
        if exitStatus() == nil { kill(pid, number) }
    }

    /// The first line of standard output or standard error that matches; waits for it.
    @discardableResult
    func waitForLine(
        _ what: String = "a line", timeout: Duration = longestWait, where matches: (String) -> Bool
    ) throws -> String {
        var found: String?
        try wait(for: "\(what) in the output of process \(pid)", timeout: timeout) {
            // Looked at before reading, so that the last lines of a process that ended are seen.
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

    /// Waits for a condition that something which the process writes, or its end, makes true.
    func wait(for what: String, timeout: Duration = longestWait, _ condition: () throws -> Bool) throws {
        try waitUntil(what, timeout: timeout, pause: waitForOutput, condition)
    }

    /// Waits until something can be read, or for a moment where nothing can be any more.
    private func waitForOutput() {
        let streams = [standardOutput, standardError].filter(\.isOpen)
        var watched = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        // Its end may close nothing, where a child of its own has the streams too.
        let ready = unsafe poll(&watched, nfds_t(watched.count), streams.count == 2 ? 50 : 5)
        // What comes line by line is looked at a few times and not for each line.
        if ready > 0 { usleep(1_000) }
    }

    /// Reads what has arrived of both streams.
    func read() {
        standardOutput.read()
        standardError.read()
    }

    /// Waits for the end of the process.
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

    /// Sends a signal and waits for the end.
    @discardableResult
    func terminate(by number: Int32 = SIGTERM, timeout: Duration = longestWait) throws -> ExitStatus {
        signal(number)
        return try waitForExit(timeout: timeout)
    }

    /// The files that it has open.
    var descriptors: [String] {
        get throws {
            let folder = "/proc/\(pid)/fd"
            // One may be closed while they are looked at.
            return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
        }
    }

    /// How it ended; nil while it runs.
    func exitStatus() -> ExitStatus? {
        if let status { return status }
        var raw: Int32 = 0
        guard unsafe waitpid(pid, &raw, WNOHANG) == pid else { return nil }
        let signal = raw & 0x7f
        status = signal == 0 ? .exited((raw >> 8) & 0xff) : .signalled(signal)
        return status
    }
}
