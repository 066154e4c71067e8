internal import ArgumentParser
internal import CommandLineSupport
internal import FoundationEssentials
internal import LinuxSystem
internal import NodeConfiguration

/// The program.
@main
struct TimerWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer-web", abstract: "A web server that shows and controls timer nodes in a browser.",
        version: NodeVersion.current,
        subcommands: [Run.self, Check.self, Pins.self, Tokens.self, Health.self, ConfigurationReference.self])

    /// The asynchronous equivalent of ``runProgram()``, for the one asynchronous command.
    static func main() async {
        BrokenPipe.ignore()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch { leave(because: error) }
        leave(.success)
    }
}

/// The options for the configuration file and for the folder with the PINs.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file.",
            discussion: "By default \(Settings.serviceFile), if it exists; none is required.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    /// Reads the settings; if they are not valid, prints all errors on standard error and exits.
    func settings(for purpose: NodeConfiguration.Purpose = .running) throws(ExitCode) -> Settings {
        try orExit { () throws(ConfigurationError) in
            try Settings(file: config, environment: ProcessInfo.processInfo.environment, purpose: purpose)
        }
    }

    /// The file with the PINs and tokens.
    func accessFile(_ settings: Settings, isServer: Bool = false) throws(ExitCode) -> AccessFile {
        let environment = ProcessInfo.processInfo.environment
        return AccessFile(
            directory: try orExit(.io) { () throws(StateDirectoryFault) in
                try settings.stateDirectory(environment, isServer: isServer)
            })
    }
}

/// `timer-web configuration-reference`: prints docs/web-configuration.md, for developers.
struct ConfigurationReference: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the reference page for all configuration keys.", shouldDisplay: false)

    func run() { print(WebConfiguration.reference, terminator: "") }
}

/// `timer-web check FILE`: reports all errors in a configuration.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Report everything that is wrong with a configuration file.",
        discussion: """
            Prints each error and warning with its line, the key, what was found and what was expected. \
            Environment variables (TIMER_WEB_LISTEN) apply just as they do when the server runs.

              timer-web check /etc/timer-web/timer-web.yaml

            Exits with 0 if the file is valid, with 78 if it has errors, or with 74 if it cannot be read.
            """)

    @Argument(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var file = Settings.serviceFile

    func run() throws {
        var options = SettingsOptions()
        options.config = file
        let settings = try options.settings(for: .checking)
        var errors = StandardError()
        for note in settings.notes where note.level == .warning { print(note.text, to: &errors) }
        print("\(file): valid")
    }
}
