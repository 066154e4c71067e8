import Foundation
import Testing

/// The machine that tests with a GPIO chip run in; see `Tests/guest/run`.
enum Guest {
    /// The kind of machine.
    enum Option: String, Sendable {
        /// A guest whose clocks skip every wait.
        case simulatedTime = "--simulated-time"
        /// A guest whose first process is systemd.
        case systemd = "--systemd"
    }

    /// Why no guest can run on this machine; nil if one can.
    ///
    /// `make test` has tried to build a guest, and passes the script's message in the environment. Without that
    /// message, the processor decides.
    static let missing: String? = ProcessInfo.processInfo.environment["GUEST_MISSING"] ?? processorMissing

    #if arch(x86_64)
        private static let processorMissing: String? = nil
    #else
        private static let processorMissing: String? = "User-Mode Linux is for x86-64"
    #endif

    /// Whether a guest can be started from here.
    static let isHere = missing == nil && SimulatedChip.current == nil

    /// The exit status of a script that cannot do its job on this machine.
    static let unavailable: Int32 = 69

    /// Runs a command in a new guest.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments; paths are the same in the guest as outside.
    ///   - options: the script's options.
    /// - Returns: the command's output and its status.
    /// - Throws: an error if the shell cannot be started.
    static func run(_ command: [String], options: [Option] = []) throws -> Shell.Result {
        try Shell.run(words(["run"] + options.map(\.rawValue) + command))
    }

    /// The path of one of the guest's scripts.
    static func script(_ name: String) -> String {
        #filePath.replacing("IntegrationTests/Guest/Guest.swift", with: "guest/\(name)")
    }

    /// A command line that runs one of the guest's scripts.
    private static func words(_ command: [String]) -> String {
        // A guest that hangs is ended with status 124. System calls in a guest can take ten times as long on one
        // machine as on another.
        let words = ["timeout", "3600", script(command[0])] + command.dropFirst()
        return "exec " + words.map(Shell.quote).joined(separator: " ")
    }
}
