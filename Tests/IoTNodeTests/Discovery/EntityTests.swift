import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// Checks the declarations of each entity, and that the node conforms to them.
@Suite("The entities of Home Assistant")
struct EntityTests {
    /// Names that are difficult to write in JSON, in a template, or in a payload.
    private static let names = [
        "Talk", "Q&A", "Zoë's «Rede»", "🎤 👩‍👩‍👧", #"a "b" 'c' \ d"#, "{{ 1 + 1 }}", "{% raw %}", "{# x #}", "}}", " blank ",
        "None", "unknown", "2/1", "a  b", String(repeating: "é", count: 64),
    ]

    @Test(
        "are accepted by Home Assistant in both forms",
        arguments: [.device, .component] as [NodeConfiguration.Discovery.Style], [false, true])
    func rules(style: NodeConfiguration.Discovery.Style, isBare: Bool) throws {
        let story = try DiscoveryStory(style, names: Self.names) {
            $0.node.id = "stage_2-b"
            $0.node.webURL = isBare ? nil : "http://stage.local:8080/"
            $0.timers.isReadOnly = isBare
            if isBare { $0.mqtt?.tickEvery = .zero }
        }
        let messages = try story.messages()
        #expect(messages.count == (style == .device ? 1 : isBare ? DiscoveryStory.count - 2 : DiscoveryStory.count))
        #expect(HomeAssistantRules.faults(in: messages).isEmpty)
    }

    @Test(
        "are refused by these rules if they contain an error",
        arguments: [
            (#""dev":"#, #""devs":"#), (#""o":{"name""#, #""o":{"nam""#), (#""manufacturer""#, #""maker""#),
            (#""availability_topic""#, #""availability""#), (#""cmps":"#, #""qos":1,"cmps":"#),
            (#""device_class":"enum""#, #""device_class":"text""#), (#""device_class":"enum","#, ""),
            (#""unit_of_measurement":"min""#, #""unit_of_measurement":"minutes""#),
            (#""unique_id":"timer_lectern_stop""#, #""unique_id":"timer_lectern_start""#),
            (#""default_entity_id":"select.lectern_timer""#, #""default_entity_id":"lectern_timer""#),
            (#""default_entity_id":"select.lectern_timer""#, #""default_entity_id":"select.lectern-timer""#),
            (#""icon":"mdi:play""#, #""icon":"play""#), (#""icon":"mdi:play""#, #""icon":null"#),
            (#""entity_category":"config""#, #""entity_category":"settings""#),
            (#""command_topic":"timer/lectern/command/start","#, ""), (#""min":0"#, #""min":1440"#),
            (#""event_types":["stopped","#, #""event_types":["paused","#), (#""platform":"number","#, ""),
            (#""max":200"#, #""max":256"#), (#"/command/select""#, #"/command/+""#),
            (#"/command/pause""#, #"/command/+""#),
        ])
    func faults(right: String, wrong: String) throws {
        let message = try #require(try DiscoveryStory().retained["homeassistant/device/lectern/config"])
        var text = String(decoding: message, as: UTF8.self)
        text.replaceSubrange(try #require(text.firstRange(of: right)), with: wrong)
        let changed = try JSON(parsing: Array(text.utf8))
        #expect(!HomeAssistantRules.faults(in: [("homeassistant/device/lectern/config", changed)]).isEmpty)
    }

    @Test("that are buttons send commands that the node executes, or refuses only because of its mode")
    func buttons() throws {
        let story = try DiscoveryStory()
        var pressed: Set<String> = []
        for (key, button) in try story.entities() where button["platform"] == "button" {
            let topic = try #require(button["command_topic"]?.string)
            let payload = button["payload_press"]?.string ?? "PRESS"
            for prelude in [[], ["start"], ["start", "pause"]] {
                var node = try DiscoveryStory().node
                for verb in prelude { node.send(verb) }
                let response = node.send(topic: topic, Array(payload.utf8))
                if response?["status"] == "ok" { pressed.insert(key) }
                #expect(response?["status"] == "ok" || response?["code"] == "not_allowed", "\(key)")
            }
        }
        let verbs = ["start", "pause", "resume", "toggle", "stop", "end", "next", "silence", "identify", "lamp_test"]
        #expect(pressed.isSuperset(of: verbs + ["plus_1_min", "minus_1_min"]))
        #expect(pressed.count == 12, "but previous, which the first timer refuses, and undo, which has nothing to undo")
    }

    @Test("for a minute more and a minute less add and remove a minute")
    func minute() throws {
        var story = try DiscoveryStory()
        let entities = try story.entities()
        story.node.send("start")
        for (key, left) in [("plus_1_min", 150), ("minus_1_min", 90)] {
            let button = try #require(entities[key])
            let payload = try #require(button["payload_press"]?.string)
            story.node.send(topic: try #require(button["command_topic"]?.string), Array(payload.utf8))
            #expect(story.node.state?["remaining"] == .integer(left))
        }
    }

    @Test("for the timer select each timer by its option, whatever its name")
    func selection() throws {
        var story = try DiscoveryStory(names: Self.names)
        let entity = try #require(try story.entities()["timer"])
        let options = try #require(entity["options"]).strings
        #expect(options.prefix(2) == ["1/1 Talk", "2/1 Q&A"])
        let topic = try #require(entity["command_topic"]?.string)
        let template = try #require(entity["value_template"]?.string)
        // The template finds the option by the path, in a table that is JSON.
        let table = try JSON(
            parsing: Array(template.dropFirst(3).dropLast(".get(value_json.timer.path) }}".count).utf8))
        for (place, option) in options.enumerated() {
            #expect(story.node.send(topic: topic, Array(option.utf8))?["status"] == "ok", "\(option)")
            let path = try #require(story.node.state?["timer"]?["path"]?.string)
            #expect(path == "\(place + 1)/1")
            #expect(table[path]?.string == option)
        }
        #expect(table.keys.count == options.count)
        // Other clients may write a selector differently.
        for selector in ["1/1 Talk ", "01/1 Talk", "10/1  blank ", "10/1  blank"] {
            let payload = JSON.object([.init(key: "timer", value: .string(selector))]).bytes
            #expect(story.node.send(topic: topic, payload)?["status"] == "ok", "\(selector)")
        }
    }

    @Test("have templates with fields that exist in the payloads, in each mode", arguments: [false, true])
    func fields(follows: Bool) throws {
        var story = try DiscoveryStory {
            // One meeting is always in progress.
            $0.agenda = Agenda(meetings: [AgendaStory.meeting(for: 7 * 86_400)])
            if follows { $0.follow = .init(node: "stage", prefix: "timer") }
        }
        let entities = try story.entities()
        for verb in ["", "start", "pause", "message", "end", "stop"] {
            if !verb.isEmpty { story.node.send(verb, verb == "message" ? "Please wrap up" : "") }
            for (key, entity) in entities {
                guard let topic = entity["state_topic"]?.string, let template = entity["value_template"]?.string,
                    let payload = story.node.publications.last(where: { $0.topic == topic })?.payload,
                    !payload.isEmpty
                else { continue }
                for use in template.matches(of: /value_json((\.[a-z_]+)+)/) {
                    var value = try JSON(parsing: payload)
                    for name in use.1.split(separator: ".") where value != .null {
                        value = try #require(value[String(name)], "\(key): \(name)")
                    }
                }
            }
        }
    }

    @Test("list every mode and every type of event that the node publishes")
    func lists() throws {
        let entities = try DiscoveryStory().entities()
        #expect(entities["mode"]?["options"]?.strings == ModeName.allCases.map(\.rawValue))
        let types = try #require(entities["transition"]?["event_types"]).strings
        #expect(types == EventMessage.types)
        #expect(
            types.suffix(12) == [
                "transition", "run_ended", "run_undone", "budget_spent", "timer_edited", "gpio_fault", "gpio_recovered",
                "message",
                "message_cleared", "meeting_began", "meeting_ended", "reminder",
            ])
    }

    @Test("set the duration in minutes, up to the longest timer")
    func duration() throws {
        var story = try DiscoveryStory()
        let entity = try #require(try story.entities()["duration"])
        let maximum = try #require(entity["max"]?.double)
        #expect(maximum * 60 >= Double(Thresholds.longest))
        #expect(entity["command_template"]?.string == #"{"start": {{ (value * 60) | round | int }}}"#)
        for minutes in [0, 1.5, maximum] {
            let payload = #"{"start": \#(Int(minutes * 60))}"#
            let topic = try #require(entity["command_topic"]?.string)
            #expect(story.node.send(topic: topic, Array(payload.utf8))?["status"] == "ok", "\(minutes)")
        }
    }
}
