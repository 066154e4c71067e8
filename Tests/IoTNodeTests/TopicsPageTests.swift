import FoundationEssentials
import Testing
import TimerEngine

@testable import IoTNode

/// `docs/topics.md` against what the node does: the names are a contract.
@Suite("The page of topics")
struct TopicsPageTests {
    private let page: String
    /// A node that has published on every topic.
    private let node: Scenario

    init() throws {
        page = try String(contentsOfFile: repositoryFile("docs/topics.md"), encoding: .utf8)
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.wait(.seconds(7))
        node.send("edit", #"{"name":"Talk"}"#)
        node.send("stop")
        self.node = node
    }

    /// What stands between two texts, the first time.
    private func part(from beginning: String, to end: String) throws -> Substring {
        let rest = page[try #require(page.firstRange(of: beginning), "\(beginning)").upperBound...]
        return rest[..<(try #require(rest.firstRange(of: end), "\(end)").lowerBound)]
    }

    /// The keys of an object and of those within, in order.
    private func keys(_ json: JSON) -> [String] {
        guard case .object(let members) = json else { return [] }
        return members.flatMap { member in [member.key] + keys(member.value).map { "\(member.key).\($0)" } }
    }

    @Test("has each topic that is published, with its retain flag, and no other")
    func published() throws {
        let rows = try part(from: "## What the node publishes", to: "What one event leads to").split(separator: "\n")
            .map { $0.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } } }.dropFirst(2)
        let told = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
        let seen = Dictionary(
            node.publications.map { ($0.topic, ($0.retain ? "yes" : "no") + ($0.qos == .atMostOnce ? ",QoS0" : "")) }
        ) { first, _ in first }
        #expect(told == seen)
    }

    @Test("has each verb and each code")
    func names() throws {
        let verbs = try part(from: "| Verb |", to: "A selector is")
        for verb in Verb.allCases { #expect(verbs.contains("`\(verb.rawValue)`"), "\(verb)") }
        let codes = try part(from: "| Code |", to: "A command that is refused")
        for code in Refusal.Code.allCases { #expect(codes.contains("`\(code.rawValue)`"), "\(code)") }
    }

    @Test("shows the state and the health with the fields that they have", arguments: ["state", "health"])
    func examples(topic: String) throws {
        let example = try part(from: "### \(topic.prefix(1).uppercased() + topic.dropFirst())\n\n```json", to: "```")
        let shown = keys(try JSON(parsing: Array(example.utf8)))
        let actual = keys(try JSON(parsing: Array(try #require(node.last(topic)).utf8)))
        #expect(shown == actual)
    }

    @Test("has each type of event")
    func events() throws {
        let events = try part(from: "### Events", to: "### Health")
        for type in ["transition", "run_ended", "timer_edited", "gpio_fault", "gpio_recovered"] {
            #expect(events.contains("`\(type)`"), "\(type)")
        }
    }
}
