import BrokerLink
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine
import TimerProtocol

@testable import WebCore

@Suite("A snapshot")
struct SnapshotTests {
    private let agenda = AgendaMessage(
        revision: 3,
        agenda: Agenda(meetings: [
            Agenda.Meeting(
                name: "Club", days: [Agenda.Meeting.Day("tue")].compactMap(\.self), at: TimeOfDay(secondOfDay: 68_400),
                duration: 7200, note: "The key is under the mat")
        ]))
    private let run = """
        {"event_type":"run_ended","used":10,"over":0,"run":{"id":"0b8f8c0e-5d0b-4b6e-9a46-6f1f3c1d2e3f","timer":"1/1",\
        "name":"Talk","group":"","speaker":"Ada","started_at":"2026-11-20T12:00:00Z","ended_at":"2026-11-20T12:01:00Z",\
        "used":10,"paused":0,"over":0,"start":60,"minimum":null,"maximum":null,"qualified":null},"remaining":0,\
        "timer":"1/1","at":"2026-11-20T12:01:00Z"}
        """

    /// Passes a node's messages to the story, in virtual time.
    private func hear(_ node: Scenario, into story: inout NodeStory) {
        story.now = node.now.instant
        for message in node.publications {
            guard let kind = message.topic.split(separator: "/").last.flatMap({ TopicKind(rawValue: String($0)) })
            else { continue }
            story.say(kind, message.payload)
        }
    }

    @Test("contains the parts that changed, and no others")
    func parts() throws {
        var story = NodeStory()
        story.say(.availability, "online")
        let before = story.snapshot.change
        story.say(.message, #"{"text":"Louder","at":"2026-11-20T12:00:00Z","until":null,"attention":true}"#)
        let events = try story.events(since: before, for: .viewer)
        #expect(events.map(\.name) == ["node"])
        #expect(events[0].data.keys == ["id", "message"])
        #expect(events[0].data["message"]?["attention_at"] == .integer(1_000_000))
        let cleared = story.snapshot.change
        story.say(.message, "")
        #expect(
            try story.events(since: cleared, for: .viewer).map(\.data.text) == [#"{"id":"lectern","message":null}"#])
        story.say(.message, "")
        #expect(!story.wasNews)
    }

    @Test("contains the words and lamps of each mode, the usual ones until the node publishes its own")
    func signals() throws {
        var story = NodeStory()
        story.say(.availability, "online")
        let before = story.snapshot.change
        let word = { (event: (name: String, data: JSON)) in event.data["signals"]?["warning"]?["word"] }
        #expect(try story.events(since: 0, for: .viewer).compactMap(word) == ["Warning"])
        let node = try Scenario { $0.signals = SignalTable(.toastmasters) }
        let health = node.publications.last { $0.topic.hasSuffix("/health") }
        story.say(.health, try #require(health).payload)
        let events = try story.events(since: before, for: .viewer)
        #expect(events.compactMap(word) == ["Qualified"])
        #expect(events.last?.data["signals"]?["warning"]?["lamps"] == ["green": "on"])
    }

    @Test("shows viewers no notes, no report and nothing about the node's health")
    func roles() throws {
        var story = NodeStory()
        story.say(.availability, "online")
        story.say(.agenda, agenda.bytes)
        story.say(.runs, #"{"runs":[],"total":0}"#)
        var node = try Scenario(60, 40, 20)
        node.send("programme", #"{"entries":[{"title":"Opening","start":60,"note":"She is nervous"}]}"#)
        for kind in [TopicKind.health, .programme] {
            let message = node.publications.last { $0.topic == "timer/lectern/\(kind.rawValue)" }
            story.say(kind, try #require(message).payload)
        }
        story.say(.event, run)
        story.say(
            .event,
            #"{"event_type":"gpio_fault","message":"gone","remaining":0,"timer":"1/1","at":"2026-11-20T12:01:00Z"}"#)
        let viewer = try story.events(since: 0, for: .viewer)
        #expect(viewer.map(\.name) == ["broker", "node", "event"])
        #expect(viewer[1].data.keys == ["id", "name", "availability", "heard", "agenda", "programme", "signals"])
        #expect(viewer[1].data["agenda"]?.text.contains("mat") == false)
        #expect(viewer[1].data["programme"]?.text.contains("nervous") == false)
        #expect(viewer[2].data["event"]?["run"] == .null)
        for role: Role in [.remote, .operator] {
            let events = try story.events(since: 0, for: role)
            #expect(events.map(\.name) == ["broker", "node", "event", "event"])
            #expect(
                events[1].data.keys == [
                    "id", "name", "availability", "heard", "agenda", "programme", "runs", "health", "signals",
                ])
            #expect(events[1].data["agenda"]?.text.contains("mat") == true)
            #expect(events[1].data["programme"]?.text.contains("nervous") == true)
            #expect(events[2].data["event"]?["run"]?["speaker"] == "Ada")
        }
    }

    @Test("shows only the nodes that a client may see or has requested")
    func nodes() throws {
        var story = NodeStory()
        for id in ["hall", "lectern", "stage"] { story.say(.availability, "online", node: id) }
        #expect(try story.events(since: 0, for: .viewer, node: "stage").map(\.data["id"]) == [nil, "stage"])
        let some = Audience(role: .viewer, nodes: ["hall", "stage"])
        let all = story.snapshot.everything(
            for: some, site: SiteReport(boot: "b", version: "1", prefix: "timer"), now: story.now)
        #expect(try JSON(parsing: all)["nodes"]?.keys == ["hall", "stage"])
        #expect(story.snapshot.node("lectern", for: some) == nil)
        let one = try #require(story.snapshot.node("stage", for: some))
        #expect(try JSON(parsing: one)["availability"] == "online")
        story.say(.availability, "", node: "stage")
        story.say(.availability, "", node: "lectern")
        let events = try NodeStory.events(story.snapshot.events(since: .init(3), for: some))
        #expect(events.filter { $0.name == "gone" }.map(\.data["id"]) == ["stage"])
    }

    @Test("reports that a node that came back was gone, and then all of its parts")
    func back() throws {
        var story = NodeStory()
        story.say(.availability, "online")
        let before = story.snapshot.change
        story.say(.availability, "")
        story.say(.availability, "offline")
        #expect(try story.events(since: before, for: .viewer).map(\.name) == ["gone", "node"])
    }

    @Test("gives the instants of a run and of blinking lamps in milliseconds of the server's clock")
    func instants() throws {
        var node = try Scenario(60, 40, 20)
        node.send("start")
        let begin = node.now.instant
        var story = NodeStory()
        hear(node, into: &story)
        story.say(.availability, "online")
        let counting = try story.events(since: 0, for: .viewer)[1].data["counting"]
        #expect(
            counting?["zero"] == .number((begin + .seconds(60)).milliseconds)
                || counting?["zero"] == .integer(Int((begin + .seconds(60)).milliseconds)))
        #expect(counting?["estimate"] == false)
        node.wait(.seconds(60))
        hear(node, into: &story)
        let red = try #require(story.events(since: 0, for: .viewer)[1].data["patterns"]?["red"])
        #expect(red["steps_ms"] == [425, 425] && red["repeat"] == true)
        #expect(red["began"] == counting?["zero"])
        let before = story.snapshot.change
        story.say(.availability, "offline")
        let offline = try story.events(since: before, for: .viewer)[0].data
        #expect(offline["counting"]?["estimate"] == true && offline["counting"]?["zero"] == counting?["zero"])
        #expect(offline["offline_since"] != nil)
    }

    @Test("tells pages to stop counting once the node's state is gone, and only then")
    func noState() throws {
        var node = try Scenario(60, 40, 20)
        node.send("start")
        var story = NodeStory()
        story.say(.availability, "online")
        #expect(try story.events(since: 0, for: .viewer)[1].data["counting"] == nil)
        hear(node, into: &story)
        let before = story.snapshot.change
        story.say(.state, "")
        #expect(try story.events(since: before, for: .viewer)[0].data["counting"] == .null)
    }

    @Test("does not change every second")
    func ticks() throws {
        var node = try Scenario(60, 40, 20)
        node.send("start")
        var story = NodeStory()
        hear(node, into: &story)
        story.now = node.now.instant + .milliseconds(1003)
        story.say(.tick, "59")
        #expect(!story.wasNews)
    }

    @Test("changes once late ticks have moved the count by more than two milliseconds")
    func lateTicks() throws {
        // The clock of a node on another machine is not known exactly.
        var node = try Scenario(60, 40, 20, boot: "another boot")
        node.send("start")
        var story = NodeStory()
        hear(node, into: &story)
        let begin = story.now
        for (second, isNews) in [(1, false), (2, false), (3, true)] {
            story.now = begin + .milliseconds(second * 1003)
            story.say(.tick, "\(60 - second)")
            #expect(story.wasNews == isNews, "tick \(second)")
        }
    }

    @Test("is written as one line of JSON, whatever nodes publish")
    func lines() throws {
        var story = NodeStory()
        story.say(.message, #"{"text":"a\nb\u2028\"\\","at":"2026-11-20T12:00:00Z","until":null,"attention":false}"#)
        for event in try story.events(since: 0, for: .operator) { #expect(!event.data.keys.isEmpty) }
    }
}
