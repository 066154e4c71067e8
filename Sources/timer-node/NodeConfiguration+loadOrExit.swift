internal import ArgumentParser
internal import FoundationEssentials
internal import IoTNode
internal import LinuxSystem
internal import NodeConfiguration

extension NodeConfiguration {
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
