import NodeConfiguration
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// One button per command, on the lines `0`, `1` and so on, and a remote on the topic `desk` with the same commands.
struct DeskControls {
    private let buttons: [NodeConfiguration.Button]
    private let remote: NodeConfiguration.Remote

    init(_ texts: [String]) throws {
        var buttons: [NodeConfiguration.Button] = []
        var commands: [String: BoundCommand] = [:]
        for (place, text) in texts.enumerated() {
            let command = try BoundCommand(text)
            commands[text] = command
            var button = NodeConfiguration.Button(line: "\(place)")
            button.debounce = .zero
            button.commands = [.press: command]
            buttons.append(button)
        }
        self.buttons = buttons
        remote = NodeConfiguration.Remote(
            topic: try TopicFilter("desk"), path: nil, conditions: [], ignoreRepeat: .zero, commands: commands)
    }

    func add(to configuration: inout NodeConfiguration) {
        configuration.gpio.buttons = buttons
        configuration.remotes = [remote]
    }
}
