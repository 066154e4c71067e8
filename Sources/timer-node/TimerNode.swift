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
            ResetTimers.self, AgendaCommands.self, ProgrammeCommands.self, ListLines.self, LampTest.self, LampsOff.self,
            ReplayCommand.self, Health.self, ConfigurationReference.self,
        ])

    static func main() { runProgram() }
}

/// The option for the configuration file.
struct ConfigurationOption: ParsableArguments {
    @Option(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var config = NodeConfiguration.serviceFile
}

/// `timer-node check FILE`: reports all errors in a configuration.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Report everything that is wrong with a configuration file.",
        discussion: """
            Prints each error and warning with its line, the key, what was found and what was expected. Environment \
            variables (TIMER_NODE_MQTT_USERNAME) apply as they do for run. If you may not read a file that the \
            configuration names, this is only a warning: the node may run as another user.

              timer-node check /etc/timer-node/timer-node.yaml

            Exits with 0 if the file is valid, with 78 if it is invalid, or with 74 if it cannot be read.
            """)

    @Argument(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    func run() throws {
        var errors = StandardError()
        let loaded = try NodeConfiguration.loadOrExit(file, for: .checking)
        for warning in loaded.warnings { print(warning, to: &errors) }
        // Only a warning: the file may be for another machine, which may have other zones.
        let zones = SystemTimeZones(environment: ProcessInfo.processInfo.environment)
        for zone in loaded.configuration.agenda?.zones ?? [] {
            do throws(FileError) { _ = try zones.bytes(of: zone) } catch {
                print("\(file): warning: agenda: this system has no time zone \(zone.quoted): \(error)", to: &errors)
            }
        }
        print("\(file): valid")
        let topics = loaded.configuration.mirrors.map(\.topic)
        guard !topics.isEmpty, loaded.configuration.mqtt != nil else { return }
        print("The broker's access list must let the node write to its mirrors. For mosquitto, below the node's user:")
        for topic in Set(topics).sorted() { print("topic write \(topic)") }
    }
}

/// `timer-node configuration-reference`: prints docs/configuration.md, for developers.
struct ConfigurationReference: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the reference page for all configuration keys.", shouldDisplay: false)

    func run() {
        print(NodeConfiguration.reference, terminator: "")
    }
}

extension NodeConfiguration {
    /// The path of the configuration that the service uses.
    static let serviceFile = "/etc/timer-node/timer-node.yaml"

    /// Loads a configuration file; if it is unreadable or invalid, prints all errors on standard error and exits.
    static func loadOrExit(_ path: String, for purpose: Purpose = .running) throws(ExitCode) -> Loaded {
        try orExit { () throws(ConfigurationError) in
            try load(
                path: path, environment: ProcessInfo.processInfo.environment, purpose: purpose, hostName: Host.name,
                readFile: File.read)
        }
    }

    /// Loads only the GPIO section of a configuration file; errors elsewhere do not matter.
    static func loadGPIOOrExit(_ path: String) throws(ExitCode) -> GPIO {
        try orExit { () throws(ConfigurationError) in
            try loadGPIO(path: path, environment: ProcessInfo.processInfo.environment, readFile: File.read)
        }
    }
}
