import FoundationEssentials

/// The machine that tests with a GPIO chip run in; see `Tests/guest/run`.
enum Guest {
    /// What kind of machine it is.
    enum Option: String, Sendable {
        /// Its clocks jump over every wait.
        case simulatedTime = "--simulated-time"
        /// Its first process is systemd.
        case systemd = "--systemd"
    }

    /// Runs a command in a new guest.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments; a path is the same in the guest as outside.
    ///   - options: those of the script.
    /// - Returns: what it wrote and its status.
    /// - Throws: a shell that could not be started.
    static func run(_ command: [String], options: [Option] = []) throws -> Shell.Result {
        // A guest that hangs is ended, with status 124. Its system calls cost ten times as much on one machine as on another.
        let words = ["timeout", "3600", script] + options.map(\.rawValue) + command
        return try Shell.run("exec " + words.map(Shell.quote).joined(separator: " "))
    }

    /// Runs the tests of this very program whose name matches a pattern in a new guest.
    static func runTests(matching pattern: String, options: [Option] = []) throws -> Shell.Result {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try run(
            [program, "--testing-library", "swift-testing", "--filter", pattern], options: options)
    }

    private static let script = #filePath.replacing("IntegrationTests/Guest/Guest.swift", with: "guest/run")
}
