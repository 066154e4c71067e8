internal import ArgumentParser
internal import CommandLineSupport
internal import IoTNode

/// The program.
@main
struct TimerWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer-web", abstract: "A web server that shows and controls timer nodes in a browser.",
        version: NodeVersion.current,
        subcommands: [Run.self, Check.self, Pins.self, Tokens.self, ConfigurationReference.self])

    static func main() async { await runProgram() }
}
