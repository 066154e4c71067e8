import NodeTestSupport
import TestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("The flow for Node-RED")
struct NodeREDFlowTests {
    private let flow: NodeREDFlow

    init() throws { flow = try NodeREDFlow("config/node-red/timer-node.json") }

    /// The Node-RED nodes that subscribe to the node's topics.
    private var readers: [NodeREDFlow.Node] {
        flow.nodes("mqtt in").filter { $0.text("topic").hasPrefix("timer/") }
    }

    @Test("has Node-RED and Dashboard 2.0 nodes, each with a unique id, and no loose wires")
    func wiring() {
        let known: Set = [
            "tab", "comment", "mqtt-broker", "mqtt in", "mqtt out", "change", "switch", "ui-base", "ui-theme",
            "ui-page",
            "ui-group", "ui-template", "ui-text", "ui-notification", "ui-button", "ui-dropdown",
        ]
        #expect(Set(flow.nodes.map(\.type)) == known)
        #expect(Set(flow.nodes.map(\.id)).count == flow.nodes.count)
        for node in flow.nodes {
            #expect(node.id.wholeMatch(of: /[0-9a-f]{16}/) != nil, "\(node.id)")
            for id in node.wires.joined() { #expect(flow[id]?.isInFlow == true, "\(node.id) leads to \(id)") }
            let needed = [
                "z": "tab", "broker": "mqtt-broker", "group": "ui-group", "page": "ui-page", "ui": "ui-base",
                "theme": "ui-theme",
            ]
            for (key, type) in needed where node.type != "mqtt-broker" && !node.text(key).isEmpty {
                #expect(flow[node.text(key)]?.type == type, "\(key) of \(node.id)")
            }
            if node.type == "switch" { #expect(node.wires.count == node.list("rules").count, "\(node.id)") }
        }
        for node in flow.nodes where node.type.hasPrefix("mqtt ") { #expect(!node.text("broker").isEmpty) }
        for node in flow.nodes where ["ui-text", "ui-button", "ui-dropdown", "ui-template"].contains(node.type) {
            #expect(!node.text("group").isEmpty, "\(node.id)")
        }
    }

    @Test("reads topics that the node publishes, with the right type of payload")
    func topics() throws {
        let story = try RecipeNode.story()
        #expect(readers.count == 6)
        for reader in readers {
            let topic = try #require(PublishedTopic(reader.text("topic"), prefix: "timer"), "\(reader.text("topic"))")
            #expect(topic.node == "lectern")
            let payloads = story.payloads(on: topic.name)
            #expect(!payloads.isEmpty, "\(topic.name)")
            let isJSON = payloads.allSatisfy { (try? JSON(parsing: Array($0.utf8))) != nil }
            #expect(reader.text("datatype") == (isJSON ? "json" : "utf8"), "\(topic.name)")
        }
    }

    @Test("uses fields and values that occur in the payloads")
    func fields() throws {
        let story = try RecipeNode.story()
        var count = 0
        for reader in readers {
            let topic = reader.text("topic")
            var waiting = flow.next(reader)
            while let node = waiting.popLast() {
                for rule in node.list("rules") where node.type == "change" && rule.text("tot") == "msg" {
                    guard rule.text("to").hasPrefix("payload.") else { continue }
                    count += 1
                    let path = String(rule.text("to").dropFirst("payload.".count))
                    #expect(!story.values(at: path, on: topic).isEmpty, "\(path) of \(topic)")
                }
                guard node.type == "switch" else { continue }
                let path = String(node.text("property").dropFirst("payload.".count))
                for rule in node.list("rules") {
                    count += 1
                    let value = JSON.string(rule.text("v"))
                    #expect(story.values(at: path, on: topic).contains(value), "\(path) \(value.text) of \(topic)")
                }
                waiting += flow.next(node)
            }
        }
        #expect(count == 6)
    }

    @Test("shows fields of the state, and derives the options from the timers' fields")
    func shown() throws {
        let story = try RecipeNode.story()
        let template = try #require(flow.nodes("ui-template").first).text("format")
        let paths = Set(template.matches(of: /msg\.payload\?((?:\??\.\w+)+)/).map { $0.1.replacing("?", with: "") })
        #expect(paths.count == 7)
        for path in paths {
            #expect(!story.values(at: String(path.dropFirst()), on: "timer/lectern/state").isEmpty, "\(path)")
        }
        // The page shows these values in another form: a mode, the state of an output, and the lamps.
        let layout: Set = ["face", "lamps", "lamp", "time", "name", "mode"]
        let drawn = Set(template.matches(of: /\.tn-(\w+)/).map { String($0.1) }).subtracting(layout)
        #expect(drawn == ["alarm", "on", "blink", "red", "yellow", "green"])
        #expect(story.values(at: "mode", on: "timer/lectern/state").contains("alarm"))
        let red = story.values(at: "outputs.red", on: "timer/lectern/state")
        #expect(red.contains("on") && red.contains("blink"))
        let options = try #require(flow.nodes("change").first { $0.text("name") == "Its options" })
        let expression = try #require(options.list("rules").first).text("to")
        #expect(expression.contains("payload.groups#$i.timers#$j."))
        #expect(expression.contains(#""label": $string($i + 1) & "/" & $string($j + 1) & " " & name"#))
        #expect(!story.values(at: "groups[1].timers[0].name", on: "timer/lectern/timers").isEmpty)
    }

    @Test("sends only commands that the node accepts, with QoS 1 and not retained")
    func commands() throws {
        let outputs = flow.nodes("mqtt out")
        #expect(outputs.count == 1)
        var verbs: Set<String> = []
        for output in outputs {
            #expect(output.text("qos") == "1" && output.text("retain") == "false" && output.text("topic").isEmpty)
            for sender in flow.nodes where sender.wires.joined().contains(output.id) {
                var sent: [(topic: String, payload: String)] = []
                switch sender.type {
                case "ui-button":
                    #expect(sender.text("topicType") == "str" && sender.text("payloadType") == "str")
                    sent = [(sender.text("topic"), sender.text("payload"))]
                case "ui-dropdown":
                    sent = ["1/1", "2/1"].map { (sender.text("topic"), $0) }
                case "change":
                    let set = Dictionary(
                        sender.list("rules").map { ($0.text("p"), $0.text("to")) }, uniquingKeysWith: { $1 })
                    sent = [(set["topic", default: ""], set["payload", default: ""])]
                default:
                    Issue.record("\(sender.type) sends what no test knows")
                }
                for message in sent {
                    let modes = try RecipeNode.modesThatTake(message.payload, on: message.topic)
                    #expect(!modes.isEmpty, "\(message)")
                    verbs.insert(String(message.topic.dropFirst("timer/lectern/command/".count)))
                }
            }
        }
        #expect(
            verbs == [
                "start", "pause", "resume", "stop", "previous", "next", "add", "end", "silence", "identify", "select",
                "message", "lock", "unlock",
            ])
    }

    @Test("uses the topics that its page lists")
    func page() throws {
        let named = try Page("docs/integrations.md").table("### Nodes of the flow").flatMap { $0[1].code }
        let topics = flow.nodes("mqtt in").map { $0.text("topic") }
        #expect(Set(named) == Set(topics + ["timer/lectern/command/…"]))
    }
}
