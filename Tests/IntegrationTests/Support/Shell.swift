/// Runs shell commands.
enum Shell {
    /// The output of a command on both streams, and its exit status.
    struct Result: Hashable, Sendable {
        var output: String
        /// The exit status; 128 plus the signal's number if a signal ended the command.
        var status: Int32
    }

    /// Runs a command line to its end, with no input.
    static func run(_ commandLine: String) throws -> Result {
        let process = try ChildProcess(shell: "exec 2>&1; " + commandLine)
        // Every command that may hang has its own time limit.
        let status =
            switch try process.waitForExit(timeout: .seconds(4000)) {
            case .exited(let code): code
            case .signalled(let signal): 128 + signal
            }
        return Result(output: process.outputText, status: status)
    }

    /// A word quoted for the shell.
    static func quote(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
