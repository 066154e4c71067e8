import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The announcement to Home Assistant")
struct DiscoveryTests {
    @Test("is published on each connection, before everything that it describes")
    func connection() throws {
        var story = try DiscoveryStory()
        let said = [
            "availability", "device/lectern/config \(DiscoveryStory.count) entities", "timers", "mode", "state", "runs",
            "agenda", "programme", "message",
            "health",
        ]
        #expect(story.news() == said)
        #expect(story.node.publications.allSatisfy { $0.retain && $0.qos == .atLeastOnce })
        #expect(story.node.subscriptions.contains(Subscription("homeassistant/status")))
        story.node.lose()
        story.node.wait(.seconds(60))
        story.node.accept()
        #expect(story.news() == said)
    }

    @Test("is one message for each entity, or none, as configured")
    func styles() throws {
        var story = try DiscoveryStory(.component)
        let topics = story.news()
        #expect(topics.count == DiscoveryStory.count + 9)
        #expect(topics.contains("sensor/lectern/mode/config entity"))
        #expect(topics.contains("binary_sensor/lectern/gpio_problem/config entity"))
        story = try DiscoveryStory(.none)
        #expect(
            story.news() == [
                "availability", "timers", "mode", "state", "runs", "agenda", "programme", "message", "health",
            ])
        #expect(!story.node.subscriptions.map(\.filter).contains("homeassistant/status"))
    }

    @Test("makes commands expire only if the broker supports MQTT 5")
    func expiry() throws {
        var story = try DiscoveryStory()
        for (entity, options) in try story.entities() {
            #expect(options["message_expiry_interval"] == (options["command_topic"] == nil ? nil : 10), "\(entity)")
        }
        story.node.lose("refused", hintsAtOlderProtocol: true)
        story.node.wait(.seconds(1))
        #expect(story.node.attempts.last?.version == .v311)
        story.node.accept()
        #expect(try story.entities().values.allSatisfy { $0["message_expiry_interval"] == nil })
    }

    @Test("that a broker temporarily refuses is published again completely", arguments: [0x83, 0x97])
    func refusedForNow(code: Int) throws {
        var story = try DiscoveryStory(.component)
        _ = story.news()
        story.node.refusePublication(on: "homeassistant/sensor/lectern/mode/config", code: code)
        story.node.wait(.milliseconds(999))
        #expect(story.news().isEmpty)
        story.node.wait(.milliseconds(1))
        #expect(story.news().count { $0.hasSuffix("/config entity") } == DiscoveryStory.count)
        story.node.wait(.seconds(60))
        #expect(story.news().isEmpty)
    }

    @Test("that a broker refused is published only once on the next connection")
    func refusedBefore() throws {
        var story = try DiscoveryStory()
        story.node.refusePublication(on: "homeassistant/device/lectern/config", code: 0x97)
        story.node.lose()
        story.node.accept()
        #expect(story.news().count { $0.hasPrefix("device/") } == 2)
        story.node.wait(.seconds(60))
        #expect(story.news().isEmpty)
    }

    @Test("is removed again if the broker temporarily refuses the removal")
    func refusedRemoval() throws {
        var story = try DiscoveryStory(.component)
        story.reload { $0.mqtt?.tickEvery = .zero }
        story.node.wait(.seconds(2))
        story.node.accept()
        let topic = "homeassistant/sensor/lectern/remaining/config"
        let removals = { (node: Scenario) in node.publications.count { $0.topic == topic && $0.payload.isEmpty } }
        try #require(removals(story.node) == 1)
        story.node.refusePublication(on: topic, code: 0x97)
        story.node.wait(.seconds(1))
        #expect(removals(story.node) == 2)
        story.node.wait(.seconds(60))
        #expect(removals(story.node) == 2)
    }

    @Test("has entities with the same options in both forms")
    func sameEntities() throws {
        let device = try DiscoveryStory(.device)
        let component = try DiscoveryStory(.component).entities()
        let shared = Set(try #require(device.messages().first).payload.keys).subtracting(["cmps"])
        for (key, entity) in try device.entities() {
            let other = try #require(component[key])
            for name in Set(entity.keys).subtracting(["platform"]) {
                #expect(other[name] == entity[name], "\(key) \(name)")
            }
            #expect(Set(other.keys) == Set(entity.keys).subtracting(["platform"]).union(shared))
        }
    }

    @Test("is published again when Home Assistant comes online, followed by all states")
    func birth() throws {
        var story = try DiscoveryStory()
        _ = story.news()
        story.node.send(topic: "homeassistant/status", Array("online".utf8))
        #expect(
            story.news() == [
                "availability", "device/lectern/config \(DiscoveryStory.count) entities", "timers", "mode", "state",
                "runs", "message",
                "health",
            ])
        #expect(story.node.warnings.isEmpty)
    }

    @Test("is not published again for anything else", arguments: [("offline", false), ("", false), ("online", true)])
    func noBirth(payload: String, retained: Bool) throws {
        var story = try DiscoveryStory()
        _ = story.news()
        story.node.send(topic: "homeassistant/status", Array(payload.utf8), retained: retained)
        story.node.send(topic: "homeassistant/status/x", Array("online".utf8))
        #expect(story.news().isEmpty)
        #expect(story.node.warnings.isEmpty)
    }

    @Test("is published at most a few times in a row, since any client may request it")
    func flood() throws {
        var story = try DiscoveryStory()
        for _ in 0..<100 { story.node.send(topic: "homeassistant/status", Array("online".utf8)) }
        #expect(story.news().count { $0.hasPrefix("device/") } == 6)
        story.node.wait(.seconds(10))
        story.node.send(topic: "homeassistant/status", Array("online".utf8))
        #expect(story.news().first { $0.hasPrefix("device/") } != nil)
    }

    @Test("leaves the topic on which Home Assistant comes online to a remote")
    func remote() throws {
        let bound = try BoundCommand("start")
        var story = try DiscoveryStory {
            $0.remotes = [
                .init(
                    topic: try TopicFilter("homeassistant/+"), path: nil, conditions: [], ignoreRepeat: .zero,
                    commands: ["online": bound])
            ]
        }
        #expect(story.node.subscriptions.count { $0.filter.hasPrefix("homeassistant/") } == 1)
        story.node.send(topic: "homeassistant/status", Array("online".utf8))
        #expect(story.node.last("mode") == "countdown")
        #expect(story.news().count { $0.hasPrefix("device/") } == 2)
    }

    @Test("is published before the state if an edit changes an option, followed by the unchanged state")
    func edit() throws {
        var story = try DiscoveryStory()
        _ = story.news()
        let revision = story.node.state?["revision"]
        story.node.send("edit", #"{"timer": "2/1", "name": "Questions"}"#)
        #expect(
            story.news() == [
                "device/lectern/config \(DiscoveryStory.count) entities", "timers", "state", "event", "response",
            ])
        #expect(story.node.state?["revision"] != revision)
        #expect(try story.entities()["timer"]?["options"]?.strings == ["1/1 Talk", "2/1 Questions"])
        story.node.send("edit", #"{"timer": "2/1", "start": 120}"#)
        #expect(story.news() == ["timers", "event", "response"], "no entity contains the length of a timer")
    }

    @Test("in many messages repeats only the one that an edit changes")
    func editOfOne() throws {
        var story = try DiscoveryStory(.component)
        _ = story.news()
        story.node.send("edit", #"{"name": "Speech"}"#)
        #expect(story.news() == ["select/lectern/timer/config entity", "timers", "state", "event", "response"])
    }

    @Test("that a broker refuses is logged once, however many messages it has")
    func refused() throws {
        var story = try DiscoveryStory(.component)
        story.node.refuse("homeassistant/status", code: 0x87, "Not authorized (SUBACK 0x87)")
        #expect(story.node.warnings.count == 1, "Home Assistant learns of the node all the same")
        for message in story.node.publications where message.topic.hasPrefix("homeassistant/") {
            story.node.refusePublication(on: message.topic, code: 0x87)
        }
        try #require(story.node.warnings.count == 2)
        #expect(story.node.warnings[1].hasSuffix(": refused (PUBACK 0x87); Home Assistant cannot discover the node"))
        story.node.refusePublication(on: "timer/lectern/mode", code: 0x87)
        #expect(
            story.node.warnings.last?.hasSuffix("the publication on timer/lectern/mode: refused (PUBACK 0x87)") == true)
    }

    @Test("follows a change of the node's name without a new connection")
    func renamed() throws {
        var story = try DiscoveryStory()
        _ = story.news()
        story.reload { $0.node.name = "Stage" }
        #expect(
            story.news() == ["device/lectern/config \(DiscoveryStory.count) entities", "timers", "state", "health"])
        #expect(try #require(story.messages().first).payload["dev"]?["name"] == "Stage")
        #expect(story.node.attempts.count == 1)
    }

    @Test("has no entity that would never have a state, or whose commands are refused")
    func withoutSome() throws {
        let without = { (configure: @escaping (inout NodeConfiguration) -> Void) in
            let entities = try DiscoveryStory(configure: configure).entities().keys
            return Set(try DiscoveryStory().entities().keys).subtracting(entities)
        }
        #expect(try without { $0.mqtt?.tickEvery = .zero } == ["remaining"])
        #expect(try without { $0.timers.isReadOnly = true } == ["duration"])
    }

    @Test("is under the configured prefix, as are the topics in it")
    func prefixes() throws {
        let story = try DiscoveryStory {
            $0.mqtt?.discovery.prefix = "ha/discovery"
            $0.mqtt?.prefix = "hall/timer"
        }
        let message = try #require(story.node.publications.first { $0.topic == "ha/discovery/device/lectern/config" })
        #expect(message.text.contains(#""availability_topic":"hall/timer/lectern/availability""#))
        #expect(message.text.contains(#""command_topic":"hall/timer/lectern/command/start""#))
        #expect(!message.text.contains(#""timer/"#))
        #expect(message.text.contains(#""unique_id":"timer_lectern_start""#), "entities do not depend on the prefix")
        #expect(story.node.subscriptions.contains(Subscription("ha/discovery/status")))
    }
}

extension JSON {
    /// The keys of an object.
    var keys: [String] { if case .object(let members) = self { members.map(\.key) } else { [] } }
}
