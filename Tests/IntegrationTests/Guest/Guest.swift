import Foundation
import Testing

/// The machine that tests with a GPIO chip run in; see `Tests/guest/run`.
enum Guest {
    /// What kind of machine it is.
    enum Option: String, Sendable {
        /// Its clocks jump over every wait.
        case simulatedTime = "--simulated-time"
        /// Its first process is systemd.
        case systemd = "--systemd"
    }

    /// Why this machine has no guest; nil where it has one.
    ///
    /// `make test` has tried, and says what the script said. Without it the processor tells.
    static let missing: String? = ProcessInfo.processInfo.environment["GUEST_MISSING"] ?? processorMissing

    #if arch(x86_64)
        private static let processorMissing: String? = nil
    #else
        private static let processorMissing: String? = "User-Mode Linux is for x86-64"
    #endif

    /// Why the tests' chip is not made on this machine's own kernel; nil where it is.
    static let ownChipMissing: String? = {
        guard SimulatedChip.current == nil, missing != nil else { return "there is a guest" }
        guard let result = try? Shell.run(words(["own-chip", "true"])), result.status != 0 else { return nil }
        return result.output.split(separator: "\n").last.map(String.init) ?? "own-chip has failed"
    }()

    /// Whether tests can be run in a guest from here.
    static let isHere = missing == nil && SimulatedChip.current == nil

    /// The status of a script that cannot do on this machine what it is for.
    static let unavailable: Int32 = 69

    /// Runs a command in a new guest.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments; a path is the same in the guest as outside.
    ///   - options: those of the script.
    /// - Returns: what it wrote and its status.
    /// - Throws: a shell that could not be started.
    static func run(_ command: [String], options: [Option] = []) throws -> Shell.Result {
        try Shell.run(words(["run"] + options.map(\.rawValue) + command))
    }

    /// Runs the tests of this very program whose name matches a pattern, in a new guest, or on this machine's own
    /// kernel, and expects them to pass.
    static func runTests(matching pattern: String, options: [Option] = [], onOwnChip: Bool = false) throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let tests = [program, "--testing-library", "swift-testing", "--filter", pattern]
        let script = onOwnChip ? ["own-chip"] : ["run"] + options.map(\.rawValue)
        let process = try ChildProcess(shell: "exec 2>&1; \(words(script + tests))")
        var progress = GuestProgress(name: onOwnChip ? "own chip" : "guest")
        try process.wait(for: "the end of the guest's tests", timeout: .seconds(4000)) {
            let hasEnded = process.exitStatus() != nil
            process.read()
            progress.take(process.output)
            return hasEnded
        }
        #expect(process.exitStatus() == .exited(0), "\(process.outputText)")
        // A filter that matches nothing passes as well.
        #expect(progress.tests > 0, "\(process.outputText)")
        #expect(!process.outputText.contains("skipped"), "\(process.outputText)")
    }

    /// The path of one of the guest's scripts.
    static func script(_ name: String) -> String {
        #filePath.replacing("IntegrationTests/Guest/Guest.swift", with: "guest/\(name)")
    }

    /// A command line that runs one of the guest's scripts.
    private static func words(_ command: [String]) -> String {
        // A guest that hangs is ended, with status 124. Its system calls cost ten times as much on one machine as on another.
        let words = ["timeout", "3600", script(command[0])] + command.dropFirst()
        return "exec " + words.map(Shell.quote).joined(separator: " ")
    }
}

/// What tests in a guest say of themselves, passed on with the time that they take outside, for the end of `make test`.
private struct GuestProgress {
    let name: String
    /// How many tests have passed.
    private(set) var tests = 0
    private var linesRead = 0
    private var begins: [Substring: ContinuousClock.Instant] = [:]

    init(name: String) { self.name = name }

    /// Reads the lines that are new.
    mutating func take(_ lines: [String]) {
        for line in lines.dropFirst(linesRead) {
            if let match = line.firstMatch(of: /Suite "?(.*?)"? started\.$/) {
                begins[Substring(match.1)] = .now
            } else if let match = line.firstMatch(of: /Suite "?(.*?)"? (?:passed|failed) after/) {
                let time = (ContinuousClock.now - (begins[match.1] ?? .now)) / .seconds(1)
                // Those that hold all the others are no suites for the table.
                if !match.1.hasPrefix("in ") { print("\(name): suite \"\(match.1)\" took \(time.rounded()) s") }
            } else if let match = line.firstMatch(of: /Test run with (\d+) tests? in \d+ suites? passed/) {
                tests = Int(match.1) ?? 0
                print("\(name): \(tests) tests passed")
            } else if line.contains("TEST_SEED=") {
                print("\(name): \(line)")
            }
        }
        linesRead = lines.count
    }
}
