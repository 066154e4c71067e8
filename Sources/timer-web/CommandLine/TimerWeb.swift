internal import ArgumentParser
internal import CommandLineSupport
internal import LinuxSystem
internal import NodeConfiguration

/// The program.
@main
struct TimerWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer-web", abstract: "A web server that shows and controls timer nodes in a browser.",
        version: NodeVersion.current,
        subcommands: [Run.self, Check.self, Pins.self, Tokens.self, ConfigurationReference.self])

    /// As ``runProgram()`` does, for the one command that waits for others.
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
