import NodeTestSupport
import Testing

@testable import IoTNode
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The MQTT buttons in docs/integrations.md")
struct RemoteRecipeTests {
    @Test("cause the commands that Tests/docs/mqtt-buttons.md lists")
    func tables() throws {
        let recipes = try RemoteRecipe.all()
        #expect(recipes.count == 6)
        for recipe in recipes {
            var node = try scenario(recipe.yaml)
            var twin = try scenario("remotes: []")
            for row in recipe.rows {
                let before = node.core.timer.player
                node.receive(row.topic, row.payload)
                if let command = row.command {
                    let words = command.split(separator: " ", maxSplits: 1).map(String.init)
                    twin.send(words[0], words.count > 1 ? words[1] : "")
                    #expect(node.core.timer.player != before, "\(recipe.title): \(row)")
                }
                #expect(node.core.timer.player == twin.core.timer.player, "\(recipe.title): \(row)")
                node.wait(.seconds(2))
                twin.wait(.seconds(2))
            }
        }
    }

    @Test("have valid configurations without warnings, and messages that do something and that do nothing")
    func configurations() throws {
        for recipe in try RemoteRecipe.all() {
            #expect(findings("mqtt: {brokers: [mqtt://a]}\n" + recipe.yaml).isEmpty, "\(recipe.title)")
            #expect(recipe.rows.contains { $0.command != nil } && recipe.rows.contains { $0.command == nil })
        }
    }

    /// A node with two groups of timers.
    private func scenario(_ remotes: String) throws -> Scenario {
        let configuration = try load(
            """
            mqtt: {brokers: [mqtt://a]}
            timers:
              groups:
                - timers: [{start: 5:00}, {start: 4:00}, {start: 3:00}]
                - timers: [{start: 2:00}]
            \(remotes)
            """
        ).configuration
        return try Scenario {
            $0.timers = configuration.timers
            $0.remotes = configuration.remotes
        }
    }
}
