internal import ArgumentParser
internal import FoundationEssentials
internal import IoTNode
internal import LinuxSystem
internal import NodeConfiguration

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
