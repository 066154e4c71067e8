internal import ArgumentParser
internal import FoundationEssentials
internal import IoTNode
internal import LinuxSystem
internal import NodeConfiguration

/// The exit codes from sysexits.h that this program uses; ArgumentParser exits with 64 for a wrong command line.
extension ExitCode {
    /// The system refuses something essential, such as the port.
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
    do { return try body() } catch {
        StandardError.say(error)
        throw code
    }
}

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
        do throws(ConfigurationError) {
            return try Settings(file: config, environment: ProcessInfo.processInfo.environment, purpose: purpose)
        } catch {
            StandardError.say(error)
            switch error {
            case .unreadable: throw .io
            case .faulty: throw .configuration
            }
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
