import ArgumentParser

@main
struct TimerNode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer-node", abstract: "A stoplight timer on GPIO lines and MQTT.",
        subcommands: [Check.self, ConfigurationReference.self])
}
