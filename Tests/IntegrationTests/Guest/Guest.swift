import FoundationEssentials

/// The machine that tests with a GPIO chip run in; see `Tests/guest/run`.
enum Guest {
    /// Runs a command in a new guest.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments; a path is the same in the guest as outside.
    ///   - simulatedTime: whether the guest's clocks jump over every wait.
    /// - Returns: what it wrote and its status.
    /// - Throws: a shell that could not be started.
    static func run(_ command: [String], simulatedTime: Bool = false) throws -> Shell.Result {
        // A guest that hangs is ended, with status 124. Its system calls cost ten times as much on one machine as on another.
        let words = ["timeout", "3600", script] + (simulatedTime ? ["--simulated-time"] : []) + command
        return try Shell.run("exec " + words.map(Shell.quote).joined(separator: " "))
    }

    /// Runs the tests of this very program whose name matches a pattern in a new guest.
    static func runTests(matching pattern: String, simulatedTime: Bool = false) throws -> Shell.Result {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try run(
            [program, "--testing-library", "swift-testing", "--filter", pattern], simulatedTime: simulatedTime)
    }

    private static let script = #filePath.replacing("IntegrationTests/Guest/Guest.swift", with: "guest/run")
}
