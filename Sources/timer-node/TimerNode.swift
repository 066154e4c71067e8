internal import ArgumentParser
internal import BrokerLink
internal import CommandLineSupport
internal import ConfigurationFiles
internal import FoundationEssentials
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerProtocol

@main
struct TimerNode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer-node", abstract: "A stoplight timer on GPIO lines and MQTT.", version: NodeVersion.current,
        subcommands: [
            Run.self, Init.self, Check.self, Watch.self, Send.self, Nodes.self, Report.self, Timers.self,
            ResetTimers.self, AgendaCommands.self, ListLines.self, LampTest.self, LampsOff.self,
            ConfigurationReference.self,
        ])

    static func main() { runProgram() }
}

/// The option for the configuration file.
struct ConfigurationOption: ParsableArguments {
    @Option(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var config = NodeConfiguration.servicesFile
}

/// `timer-node check FILE`: reports all faults of a configuration.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say all that is wrong with a configuration file.",
        discussion: """
            Prints each fault and warning with its line, the key, what was found and what was expected. \
            Environment variables (TIMER_NODE_MQTT_USERNAME) count as they do when the node runs. A file that it names \
            and that you may not read is a warning: the node's user may be another one.

              timer-node check /etc/timer-node/timer-node.yaml

            Exits with 0 when the file can be used, with 78 when it has faults, with 74 when it cannot be read.
            """)

    @Argument(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    func run() throws {
        var errors = StandardError()
        let loaded = try NodeConfiguration.loadOrExit(file, for: .checking)
        for warning in loaded.warnings { print(warning, to: &errors) }
        // Another machine, for which the file may be, may have other zones.
        let zones = SystemTimeZones(environment: ProcessInfo.processInfo.environment)
        for zone in loaded.configuration.agenda?.zones ?? [] {
            do throws(FileError) { _ = try zones.bytes(of: zone) } catch {
                print("\(file): warning: agenda: this system has no time zone \(zone.quoted): \(error)", to: &errors)
            }
        }
        print("\(file): valid")
    }
}

/// `timer-node configuration-reference`: prints docs/configuration.md, for developers.
struct ConfigurationReference: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the page of all configuration keys.", shouldDisplay: false)

    func run() {
        print(NodeConfiguration.reference, terminator: "")
    }
}

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
