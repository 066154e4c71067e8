internal import ArgumentParser
internal import CommandLineSupport
internal import FoundationEssentials
internal import NodeConfiguration

/// The options that name the configuration and the folder of the PINs.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file.",
            discussion: "By default \(Settings.servicesFile), where it is there; none is needed.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    /// The settings; if they cannot be used, prints all faults on standard error and exits.
    func settings(for purpose: NodeConfiguration.Purpose = .running) throws(ExitCode) -> Settings {
        try orExit { () throws(ConfigurationError) in
            try Settings(file: config, environment: ProcessInfo.processInfo.environment, purpose: purpose)
        }
    }

    /// The file with PINs and tokens.
    func accessFile(_ settings: Settings, isServer: Bool = false) throws(ExitCode) -> AccessFile {
        let environment = ProcessInfo.processInfo.environment
        return AccessFile(
            directory: try orExit(.io) { () throws(StateDirectoryFault) in
                try settings.stateDirectory(environment, isServer: isServer)
            })
    }
}
