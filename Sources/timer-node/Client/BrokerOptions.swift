internal import ArgumentParser
internal import BrokerLink
internal import CommandLineSupport
internal import ConfigurationFiles
internal import FoundationEssentials
internal import LinuxSystem
internal import NodeConfiguration

/// The options that name the broker, for the client commands.
struct BrokerOptions: ParsableArguments {
    private static let variable = "TIMER_NODE_MQTT_BROKERS"

    @Option(
        help: ArgumentHelp(
            "The configuration file whose broker and credentials are used.",
            discussion: "By default \(NodeConfiguration.serviceFile), if it is readable and --broker is not used.",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The broker, such as mqtt://broker.example or mqtts://broker.example.",
            discussion: """
                The user name, the password and the CA file then come from the environment: \
                TIMER_NODE_MQTT_USERNAME, TIMER_NODE_MQTT_PASSWORD, TIMER_NODE_MQTT_TLS_CA.
                """, valueName: "url"))
    var broker: String?

    /// Returns the broker and the settings for its connection. If no broker is named, or its settings are invalid,
    /// prints the reason on standard error and exits.
    func mqtt() throws(ExitCode) -> NodeConfiguration.MQTT {
        let (file, unreadable) = file
        do throws(ConfigurationError) {
            if let mqtt = try load(file) { return mqtt }
        } catch {
            let text = "\(error)"
            StandardError.say(broker == nil ? text : text.replacing(Self.variable, with: "--broker"))
            switch error {
            case .unreadable: throw .io
            case .faulty: throw .configuration
            }
        }
        let reason = unreadable.map { "\($0); " } ?? file.map { "\($0) has no mqtt section; " } ?? ""
        StandardError.say("no broker: \(reason)name one with --broker, --config or \(Self.variable)")
        throw .validationFailure
    }

    /// The file to read; if the standard file cannot be read, nil and the reason.
    private var file: (path: String?, reason: String?) {
        if let config { return (config, nil) }
        if broker != nil { return (nil, nil) }
        do throws(FileError) {
            _ = try File.read(NodeConfiguration.serviceFile, upTo: 1)
            return (NodeConfiguration.serviceFile, nil)
        } catch {
            return (nil, "\(error)")
        }
    }
}

extension BrokerOptions {
    /// The broker and the settings for its connection; nil if no broker is named or the settings are invalid. Prints
    /// nothing.
    var usableMQTT: NodeConfiguration.MQTT? { try? load(file.path) }

    private func load(_ file: String?) throws(ConfigurationError) -> NodeConfiguration.MQTT? {
        var environment = ProcessInfo.processInfo.environment
        if let broker { environment[Self.variable] = broker }
        return try NodeConfiguration.loadMQTT(path: file, environment: environment, readFile: File.read)
    }
}
