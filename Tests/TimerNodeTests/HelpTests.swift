import ArgumentParser
import Testing

@testable import timer_node

@Suite("The help")
struct HelpTests {
    /// Returns the commands without subcommands, each with the words that call it.
    private static func commands(
        _ command: any ParsableCommand.Type, _ words: [String]
    ) -> [(words: [String], help: String)] {
        let below = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        guard below.isEmpty else {
            return below.flatMap { commands($0, words + [$0._commandName]) }
        }
        return [(words, TimerNode.helpMessage(for: command, columns: 200))]
    }

    @Test("of each command has an example and the exit codes")
    func examples() {
        let commands = Self.commands(TimerNode.self, ["timer-node"])
        #expect(commands.count == 19)
        for (words, help) in commands {
            let call = words.joined(separator: " ")
            #expect(help.contains("\n  \(call)") || help.contains("\n  sudo \(call)"), "\(call) has no example")
            #expect(help.contains("Exits with "), "\(call) does not list its exit codes")
        }
    }
}
