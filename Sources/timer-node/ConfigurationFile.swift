internal import ArgumentParser
internal import CommandLineSupport
internal import ConfigurationFiles
internal import FoundationEssentials
internal import LinuxSystem
internal import NodeConfiguration

extension NodeConfiguration {
    /// The configuration that the service runs the node by.
    static let servicesFile = "/etc/timer-node/timer-node.yaml"

    /// Loads a configuration file; if it cannot be used, prints all faults on standard error and exits.
    static func loadOrExit(_ path: String, for purpose: Purpose = .running) throws(ExitCode) -> Loaded {
        try orExit { () throws(ConfigurationError) in
            try load(
                path: path, environment: ProcessInfo.processInfo.environment, purpose: purpose, hostName: Host.name,
                readFile: File.read)
        }
    }

    /// Loads only the GPIO section of a configuration file; faults elsewhere do not matter.
    static func loadGPIOOrExit(_ path: String) throws(ExitCode) -> GPIO {
        try orExit { () throws(ConfigurationError) in
            try loadGPIO(path: path, environment: ProcessInfo.processInfo.environment, readFile: File.read)
        }
    }
}
