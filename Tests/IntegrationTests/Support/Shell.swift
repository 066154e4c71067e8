/// Runs shell commands.
enum Shell {
    /// What a command wrote to both streams, and how it ended.
    struct Result: Hashable, Sendable {
        var output: String
        /// The exit status; 128 and the signal's number where a signal ended it.
        var status: Int32
    }

    /// Runs a command line to its end, with no input.
    static func run(_ commandLine: String) throws -> Result {
        let process = try ChildProcess(shell: "exec 2>&1; " + commandLine)
        // Whatever may hang has a time limit of its own.
        let status =
            switch try process.waitForExit(timeout: .seconds(4000)) {
            case .exited(let code): code
            case .signalled(let signal): 128 + signal
            }
        return Result(output: process.outputText, status: status)
    }

    /// A word as the shell reads it back.
    static func quote(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
