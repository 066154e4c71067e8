internal import ArgumentParser
internal import IoTNode

@main
struct TimerNode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer-node", abstract: "A stoplight timer on GPIO lines and MQTT.", version: NodeVersion.current,
        subcommands: [
            Run.self, Check.self, ListLines.self, LampTest.self, LampsOff.self, ConfigurationReference.self,
        ])
}
