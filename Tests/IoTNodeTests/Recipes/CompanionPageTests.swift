import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("The Stream Deck in docs/integrations.md")
struct CompanionPageTests {
    private let page: Page

    init() throws { page = try Page("docs/integrations.md") }

    @Test("has keys whose commands work exactly in the documented modes")
    func keys() throws {
        let rows = try page.table("### Keys")
        #expect(rows.count == 16)
        for row in rows {
            let told = row[3] == "every mode" ? RecipeNode.modes : row[3].code
            #expect(try RecipeNode.modesThatTake(row[2].code[0], on: row[1].code[0]) == told, "\(row[0])")
        }
    }

    @Test("has feedback that is true exactly in the documented states")
    func feedback() throws {
        let rows = try page.table("### Feedback")
        #expect(rows.count == 9)
        for row in rows {
            let topic = try #require(PublishedTopic(row[1].code[0], prefix: "timer"), "\(row)")
            #expect(topic.kind.isRetained, "\(row): a key would show nothing until it changes")
            if topic.kind == .availability {
                #expect(try holds(row, RecipeNode.node(in: "stopped")))
            } else if row[4].hasPrefix("timer ") {
                var node = try RecipeNode.node(in: "stopped")
                #expect(try !holds(row, node))
                node.send("select", row[4].code[0])
                #expect(try holds(row, node), "\(row)")
            } else if row[4].hasSuffix(" are locked") {
                var node = try RecipeNode.node(in: "stopped")
                #expect(try !holds(row, node))
                node.send("lock")
                #expect(try holds(row, node), "\(row)")
            } else {
                let modes = try RecipeNode.modes.filter { try holds(row, RecipeNode.node(in: $0)) }
                #expect(modes == row[4].code, "\(row)")
            }
        }
    }

    /// Whether the topic of a row has the row's value.
    private func holds(_ row: [String], _ node: Scenario) throws -> Bool {
        let payload = try #require(node.payloads(on: row[1].code[0]).last)
        guard let path = row[2].code.first else { return payload == row[3].code[0] }
        let value = try #require(ValuePath(path)?.value(in: JSON(parsing: Array(payload.utf8))), "\(row)")
        return value == .string(row[3].code[0])
    }

    @Test("shows values in its examples that the node really publishes")
    func examples() throws {
        let section = String(try page.section("### Feedback"))
        let expression = /jsonpath\(\$\(local:state\), '\$\.([a-z.]+)'\) == '(\w+)'/
        let found = try #require(section.firstMatch(of: expression))
        let node = try RecipeNode.node(in: "alarm")
        #expect(node.values(at: String(found.1), on: "timer/lectern/state").last == .string(String(found.2)))
        let mode = try #require(section.firstMatch(of: /\$\(local:mode\) == '(\w+)'/))
        #expect(RecipeNode.modes.contains(String(mode.1)))
    }

    @Test("shows the countdown from the tick while the timer runs, and from the state otherwise")
    func countdown() throws {
        let section = String(try page.section("### Countdown on a key"))
        let paths = section.matches(of: /'\$\.([a-z_.]+)'/).map { String($0.1) }
        #expect(paths == ["ends_at", "remaining", "timer.name"])
        for mode in RecipeNode.modes {
            var node = try RecipeNode.node(in: mode)
            for _ in 0..<3 {
                node.wait(.seconds(1))
                let state = try #require(node.state)
                for path in paths { #expect(ValuePath(path)?.value(in: state) != nil, "\(path) in \(mode)") }
                let isRunning = state["ends_at"] != .null
                #expect(isRunning == ["countdown", "warning", "final"].contains(mode))
                // The expression shows the value that the node would publish now.
                let shown = isRunning ? node.last("tick").flatMap { Int($0) }.map(JSON.integer) : state["remaining"]
                node.send("state")
                #expect(shown == node.state?["remaining"], "\(mode)")
            }
        }
    }
}
