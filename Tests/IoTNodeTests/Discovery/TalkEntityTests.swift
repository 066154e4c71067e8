import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A talk in Home Assistant")
struct TalkEntityTests {
    /// Returns what Home Assistant sends for a value of an entity with a known template.
    private func payload(_ entity: JSON, for value: String) throws -> [UInt8] {
        var template = try #require(entity["command_template"]?.string)
        let use = try #require(template.firstRange(of: "{{ value | trim | to_json }}"))
        template.replaceSubrange(use, with: JSON.string(value).text)
        return Array(template.utf8)
    }

    @Test(
        "sets the speaker, whatever the name, and clears it",
        arguments: [
            "Ada Lovelace", "{Ada}", #"Ada "Countess" \ Lovelace"#, "Zoë 🎤", String(repeating: "x", count: 128),
        ])
    func speaker(name: String) throws {
        var story = try DiscoveryStory()
        let entity = try #require(try story.entities()["speaker"])
        #expect(entity["platform"] == "text")
        #expect(entity["max"] == .integer(TextKind.longest))
        let topic = try #require(entity["command_topic"]?.string)
        #expect(story.node.send(topic: topic, try payload(entity, for: name))?["status"] == "ok")
        #expect(story.node.state?["speaker"] == .string(name))
        #expect(story.node.send(topic: topic, try payload(entity, for: ""))?["status"] == "ok")
        #expect(story.node.state?["speaker"] == .null)
    }

    @Test(
        "shows a message that was sent as a string or as an object",
        arguments: [
            ("Please wrap up", false), ("ON", false), (#"{"text": "Please wrap up", "attention": true}"#, true),
        ])
    func message(payload: String, attention: Bool) throws {
        var story = try DiscoveryStory()
        let entities = try story.entities()
        let notify = try #require(entities["message"])
        #expect(notify["platform"] == "notify")
        #expect(notify["command_template"] == nil)
        story.node.send(topic: try #require(notify["command_topic"]?.string), Array(payload.utf8))
        let topic = try #require(entities["shown_message"]?["state_topic"]?.string)
        let shown = try #require(story.node.publications.last { $0.topic == topic && $0.retain })
        let message = try ShownMessage(shown.payload)
        #expect(message.attention == attention)
        #expect(message.text == (attention ? "Please wrap up" : payload))
    }

    @Test("shows the typed message, and removes it", arguments: ["{wrap up}", #""now""#, "ON", "Zoë 🎤"])
    func typed(text: String) throws {
        var story = try DiscoveryStory()
        let entity = try #require(try story.entities()["shown_message"])
        #expect(entity["platform"] == "text")
        #expect(entity["max"] == .integer(MessageToSpeaker.maximumCharacters))
        let topic = try #require(entity["command_topic"]?.string)
        #expect(story.node.send(topic: topic, try payload(entity, for: text))?["status"] == "ok")
        let shown = try #require(story.node.publications.last { $0.topic == entity["state_topic"]?.string })
        #expect(try ShownMessage(shown.payload).text == text)
        #expect(story.node.send(topic: topic, try payload(entity, for: ""))?["status"] == "ok")
        #expect(story.node.last("message")?.isEmpty == true)
    }

    @Test("goes on to the next entry of a running order, which comes and goes with its entities")
    func entries() throws {
        var story = try DiscoveryStory()
        let before = try story.entities().count
        story.node.send("programme", #"{"entries":[{"title":"Opening","timer":"1/1"},{"title":"Break"}]}"#)
        let entities = try story.entities()
        #expect(entities.count == before + 2)
        let button = try #require(entities["next_entry"])
        let (topic, payload) = (try #require(button["command_topic"]?.string), button["payload_press"]?.string ?? "")
        for title in ["Opening", "Break"] {
            #expect(story.node.send(topic: topic, Array(payload.utf8))?["status"] == "ok")
            #expect(story.node.state?["entry"]?["title"] == .string(title))
        }
        story.node.send("programme", "")
        #expect(try story.entities().keys.contains("entry") == false)
    }

    @Test("brings back what a press on undo takes back")
    func undo() throws {
        var story = try DiscoveryStory()
        let topic = try #require(try story.entities()["undo"]?["command_topic"]?.string)
        story.node.send("start")
        story.node.send("stop")
        #expect(story.node.send(topic: topic, Array("PRESS".utf8))?["mode"] == "countdown")
    }

    @Test("switches sides where a timer has an account")
    func switchSides() throws {
        var story = try DiscoveryStory {
            let sides = ["Pro", "Contra"].map {
                TimerItem(name: $0, thresholds: .zero.setting(start: 90), carry: true)
            }
            $0.timers = try NodeConfiguration.Timers(groups: [TimerGroup(timers: sides)])
        }
        let topic = try #require(try story.entities()["switch"]?["command_topic"]?.string)
        story.node.send("start")
        #expect(story.node.send(topic: topic, Array("PRESS".utf8))?["status"] == "ok")
        #expect(story.node.state?["timer"]?["name"] == "Contra")
    }

    @Test("forgets a message that ended while Home Assistant was offline")
    func missed() throws {
        var story = try DiscoveryStory()
        story.node.send("message", "Please wrap up")
        story.node.send("message")
        _ = story.news()
        story.node.send(topic: "homeassistant/status", Array("online".utf8))
        #expect(story.news().contains("message"))
        #expect(story.node.last("message")?.isEmpty == true)
    }

    @Test("locks and unlocks, even if commands are locked")
    func lock() throws {
        var story = try DiscoveryStory()
        let entity = try #require(try story.entities()["lock"])
        #expect(entity["platform"] == "switch")
        let topic = try #require(entity["command_topic"]?.string)
        let on = Array(try #require(entity["payload_on"]?.string).utf8)
        let off = Array(try #require(entity["payload_off"]?.string).utf8)
        #expect(story.node.send(topic: topic, on)?["status"] == "ok")
        #expect(story.node.state?["locked"] == "inputs")
        #expect(story.node.send(topic: topic, off)?["status"] == "ok")
        #expect(story.node.state?["locked"] == false)
        story.node.send("lock", #"{"commands": true}"#)
        #expect(story.node.send(topic: topic, off)?["status"] == "ok")
        #expect(story.node.state?["locked"] == false)
    }
}

@Suite("A follower in Home Assistant")
struct FollowerEntityTests {
    private static let keys: Set = ["leader", "in_step", "clock_offset", "clock_error"]

    @Test(
        "exists while the node follows another node, without an agenda",
        arguments: [.device, .component] as [NodeConfiguration.Discovery.Style])
    func comesAndGoes(style: NodeConfiguration.Discovery.Style) throws {
        let own = Set(try DiscoveryStory().entities().keys)
        var story = try DiscoveryStory(style) {
            $0.follow = .init(node: "stage", prefix: "timer")
            $0.agenda = Agenda(meetings: [AgendaStory.meeting()])
        }
        #expect(Set(try story.entities().keys) == own.union(Self.keys))
        #expect(HomeAssistantRules.faults(in: try story.messages()).isEmpty)
        story.reload { $0.follow = nil }
        story.node.accept()
        #expect(Set(try story.entities().filter { !$0.value.keys.isEmpty }.keys).isDisjoint(with: Self.keys))
    }

    @Test("reports the offset of its clock in seconds, and the error in milliseconds")
    func units() throws {
        let entities = try DiscoveryStory { $0.follow = .init(node: "stage", prefix: "timer") }.entities()
        for (key, divisor) in [("clock_offset", 1_000_000), ("clock_error", 1000)] {
            let template = try #require(entities[key]?["value_template"]?.string)
            #expect(template.contains(" / \(divisor) if "))
        }
    }
}

/// The agenda is added and removed while the node runs.
@Suite("An agenda in Home Assistant")
struct AgendaEntityTests {
    private static let keys: Set = ["meeting", "meeting_ends_at", "next_meeting", "next_meeting_at"]
    private static let meeting =
        #"{"name": "Toastmasters", "day": "tue", "at": "19:00", "for": "2h", "group": 1, "begin": "select"}"#

    private func keys(_ story: DiscoveryStory) throws -> Set<String> {
        Set(try story.entities().filter { !$0.value.keys.isEmpty }.keys)
    }

    @Test(
        "is announced with the agenda, and removed with it",
        arguments: [.device, .component] as [NodeConfiguration.Discovery.Style])
    func comesAndGoes(style: NodeConfiguration.Discovery.Style) throws {
        var story = try DiscoveryStory(style)
        let without = try keys(story)
        #expect(without.isDisjoint(with: Self.keys))
        _ = story.news()
        #expect(story.node.send("agenda", #"{"meetings": [\#(Self.meeting)]}"#)?["status"] == "ok")
        #expect(try keys(story) == without.union(Self.keys))
        #expect(HomeAssistantRules.faults(in: try story.messages()).isEmpty)
        let news = story.news()
        let announced = try #require(news.lastIndex { $0.contains("/config ") })
        #expect(news.count { $0.contains("/config ") } == (style == .device ? 1 : 4))
        for name in ["agenda", "state"] {
            #expect(try #require(news.firstIndex(of: name)) > announced, "it follows its entities")
        }
        #expect(story.node.send("agenda", #"{"meetings": [\#(Self.meeting), \#(Self.meeting)]}"#)?["status"] == "ok")
        #expect(!story.news().contains { $0.contains("/config ") }, "no entity lists the meetings")
        #expect(story.node.send("agenda", #"{"meetings": []}"#)?["status"] == "ok")
        #expect(try keys(story) == without)
        let gone = story.news().filter { $0.contains("/config ") }
        if style == .component {
            #expect(gone.count == 4 && gone.allSatisfy { $0.hasSuffix(" empty") })
        } else {
            let names = "meeting meeting_ends_at next_meeting next_meeting_at"
            #expect(
                gone == [
                    "device/lectern/config \(DiscoveryStory.count) entities, removes \(names)",
                    "device/lectern/config \(DiscoveryStory.count) entities",
                ])
        }
    }

    @Test("is announced at once if the configuration has an agenda, and is removed with it")
    func configured() throws {
        var story = try DiscoveryStory { $0.agenda = Agenda(meetings: [AgendaStory.meeting(group: nil)]) }
        #expect(
            story.news().filter { $0.contains("/config ") } == [
                "device/lectern/config \(DiscoveryStory.count + 4) entities"
            ])
        #expect(try keys(story).isSuperset(of: Self.keys))
        story.reload { $0.agenda = nil }
        #expect(story.news().contains("device/lectern/config \(DiscoveryStory.count) entities"))
        #expect(try keys(story).isDisjoint(with: Self.keys))
    }
}
