import FoundationEssentials
import NodeTestSupport
import TestSupport

@testable import IoTNode
@testable import TimerProtocol

/// A device in `docs/integrations.md`: its configuration there, and the effects that its messages must have.
struct RemoteRecipe {
    /// A message of the device, from a row of `Tests/docs/mqtt-buttons.md`.
    struct Row {
        let topic: String
        let payload: String
        /// The command that the message causes; nil for none.
        let command: String?
    }

    let title: String
    /// The section `remotes` of the configuration.
    let yaml: String
    let rows: [Row]

    /// All devices that the page shows, in order.
    static func all() throws -> [RemoteRecipe] {
        let page = try Page("docs/integrations.md")
        let messages = try Page("Tests/docs/mqtt-buttons.md")
        // The general example is the configuration for Zigbee2MQTT.
        var title = "Zigbee2MQTT"
        var block: String?
        var recipes: [RemoteRecipe] = []
        for line in page.lines {
            if line.hasPrefix("### ") { title = String(line.dropFirst(4)) }
            if let text = block, line == "```" {
                if text.hasPrefix("remotes:\n") {
                    let rows = try messages.table("## \(title)").map(Row.init)
                    recipes.append(RemoteRecipe(title: title, yaml: text, rows: rows))
                    title = ""
                }
                block = nil
            } else if let text = block {
                block = text + line + "\n"
            } else if line.hasPrefix("```") {
                block = ""
            }
            if line == "## MQTT buttons" { title = "Zigbee2MQTT" }
        }
        return recipes
    }
}

extension RemoteRecipe.Row {
    /// A row of the table: topic, payload and command, with code in backticks.
    fileprivate init(_ cells: [String]) {
        topic = cells[0].code[0]
        payload = cells[1].code[0]
        command = cells[2].hasPrefix("nothing") ? nil : cells[2].code[0]
    }
}
