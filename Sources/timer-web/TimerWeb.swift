internal import ArgumentParser

/// The program.
@main
struct TimerWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer-web", abstract: "Show and control timer nodes in a browser.", subcommands: [Run.self])
}
