import NodeTestSupport
import Testing

@testable import IoTNode
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The recipes in docs/remotes.md")
struct RemoteRecipeTests {
    @Test("do what their tables say: the same as the command on the node's own topic")
    func tables() throws {
        let recipes = try RemoteRecipe.all().filter { !$0.rows.isEmpty }
        #expect(recipes.count == 9)
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

    @Test("are each a valid configuration without a warning, and each shows a press and one that does nothing")
    func configurations() throws {
        for recipe in try RemoteRecipe.all() {
            #expect(findings("mqtt: {brokers: [mqtt://a]}\n" + recipe.yaml).isEmpty, "\(recipe.title)")
            #expect(recipe.yaml.hasPrefix("remotes:\n"), "\(recipe.title)")
            guard !recipe.rows.isEmpty else { continue }
            #expect(recipe.rows.contains { $0.command != nil } && recipe.rows.contains { $0.command == nil })
        }
    }

    @Test("for Node-RED and Home Assistant publish what their tables begin with")
    func publishers() throws {
        let recipes = try RemoteRecipe.all()
        let nodeRED = try #require(recipes.first { $0.title == "Node-RED" })
        let flow = try JSON(parsing: Array(try #require(nodeRED.blocks.first).text.utf8))
        #expect(ValuePath("[0].payload")?.value(in: flow) == .string(nodeRED.rows[0].payload))
        #expect(ValuePath("[1].topic")?.value(in: flow) == .string(nodeRED.rows[0].topic))
        #expect(ValuePath("[0].wires[0][0]")?.value(in: flow) == ValuePath("[1].id")?.value(in: flow))
        #expect(ValuePath("[1].broker")?.value(in: flow) == ValuePath("[2].id")?.value(in: flow))

        let assistant = try #require(recipes.first { $0.title == "Home Assistant" })
        let row = assistant.rows[0]
        #expect(
            assistant.blocks[0].text.contains("topic: \(row.topic), payload: \"\(row.payload)\", qos: 1, retain: false")
        )
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
