internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import IoTNode
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerProtocol

/// The exit codes from sysexits.h that this program uses; ArgumentParser exits with 64 for a wrong command line.
extension ExitCode {
    /// A required service is unavailable.
    static let unavailable = ExitCode(69)
    /// The system refuses something essential, such as a descriptor.
    static let `internal` = ExitCode(70)
    /// A file could not be read or written.
    static let io = ExitCode(74)
    /// The configuration has faults.
    static let configuration = ExitCode(78)
}

/// Runs a body; if it fails, reports the error on standard error and exits with a code.
func orExit<Value, Fault: Error & CustomStringConvertible>(
    _ code: ExitCode, _ body: () throws(Fault) -> Value
) throws(ExitCode) -> Value {
    do {
        return try body()
    } catch {
        StandardError.say(error)
        throw code
    }
}

extension NodeConfiguration {
    /// The configuration that the service runs the node by.
    static let servicesFile = "/etc/timer-node/timer-node.yaml"

    /// Loads a configuration file; if it cannot be used, prints all faults on standard error and exits.
    static func loadOrExit(_ path: String, for purpose: Purpose = .running) throws(ExitCode) -> Loaded {
        try readOrExit { environment throws(ConfigurationError) in
            try load(
                path: path, environment: environment, purpose: purpose, hostName: Host.name, readFile: File.read)
        }
    }

    /// Loads only the GPIO section of a configuration file; faults elsewhere do not matter.
    static func loadGPIOOrExit(_ path: String) throws(ExitCode) -> GPIO {
        try readOrExit { environment throws(ConfigurationError) in
            try loadGPIO(path: path, environment: environment, readFile: File.read)
        }
    }

    private static func readOrExit<Value>(
        _ body: ([String: String]) throws(ConfigurationError) -> Value
    ) throws(ExitCode) -> Value {
        do throws(ConfigurationError) {
            return try body(ProcessInfo.processInfo.environment)
        } catch {
            StandardError.say(error)
            switch error {
            case .unreadable: throw .io
            case .faulty: throw .configuration
            }
        }
    }
}

/// Standard error as a target for `print`.
struct StandardError: TextOutputStream {
    /// Writes a text; if that fails the text is lost, because there is nowhere else to report it.
    mutating func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            // SAFETY: write() reads as many bytes as the slice has.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    /// Prints the reasons of a failure, one per line, with an error priority if journald reads it.
    static func say(_ fault: some CustomStringConvertible) {
        let isJournal = Journal.reads(standardErrorOf: ProcessInfo.processInfo.environment)
        var errors = Self()
        for line in fault.description.split(separator: "\n") {
            // A text may come from strangers, and a terminal would obey its control characters.
            errors.write((isJournal ? "<\(LogLevel.error.priority)>" : "") + PlainText.shown(String(line)) + "\n")
        }
    }
}
