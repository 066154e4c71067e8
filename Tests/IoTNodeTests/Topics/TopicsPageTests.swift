import BrokerLink
import NodeConfiguration
import NodePorts
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// Compares `docs/topics.md` with the node's publications, because names and payloads are a contract.
@Suite("The topics page")
struct TopicsPageTests {
    private let page: Page

    init() throws { page = try Page.topics() }

    /// A node that has published on every topic, with every type of event except line faults.
    private func node() throws -> Scenario {
        let timers = try [("Talk", 6, 4, 2), ("Questions", 5, 3, 0), ("Thanks", 4, 0, 0)].map {
            TimerItem(name: $0.0, thresholds: try Thresholds(start: $0.1, warning: $0.2, final: $0.3))
        }
        let model = try NodeConfiguration.Timers(groups: [TimerGroup(name: "Talk 1", timers: timers)])
        // The date is a Friday in November.
        var node = try Scenario(wallClock: RFC3339.date("2026-11-20T11:59:55Z")) {
            $0.timers = model
            $0.mqtt?.discovery.style = .device
            $0.agenda = Agenda(
                remindAfter: 20,
                meetings: [AgendaStory.meeting(days: [.weekday(.fri)], at: "12:00", for: 600, group: 1)])
        }
        node.wait(.seconds(70))
        node.send("begin", "1")
        node.send("message", "Please wrap up")
        node.send("message", "")
        node.send("start", #"{"speaker":"Ada Lovelace"}"#)
        node.wait(.seconds(5))
        node.send("pause")
        node.send("resume")
        node.send("edit", #"{"name":"Speech"}"#)
        node.wait(.seconds(12))
        return node
    }

    private func events(_ node: Scenario) throws -> [JSON] {
        try node.publications.filter { $0.topic == "timer/lectern/event" }.map { try JSON(parsing: $0.payload) }
    }

    @Test("lists each topic that is published, with its retain flag, and no other topics")
    func published() throws {
        let told = try page.table("## What the node publishes").map { [$0[0].code[0], $0[1]] }
        let node = try node()
        let seen = node.publications.map {
            [$0.topic, ($0.retain ? "yes" : "no") + ($0.qos == .atMostOnce ? ", QoS 0" : "")]
        }
        #expect(Set(told) == Set(seen))
        #expect(told.count == Set(seen).count)
    }

    @Test("lists each mode")
    func modes() throws {
        let row = try #require(page.table("## What the node publishes").first { $0[0] == "`timer/lectern/mode`" })
        var node = try node()
        node.send("stop")
        let seen = node.publications.filter { $0.topic == "timer/lectern/mode" }.map(\.text)
        #expect(Set(row[2].code) == Set(seen))
    }

    @Test("shows a state with its fields, in the right order and with values of the right kind")
    func state() throws {
        var node = try node()
        node.send("stop")
        node.wait(Undo.time)
        node.send("start", "1/1")
        node.wait(.milliseconds(8630))
        node.send("speaker", "Ada Lovelace")
        let actual = try #require(node.state)
        #expect(actual["mode"] == "warning" && actual["timer"]?["path"] == "1/2", "as in the example")
        #expect(try page.values("### State").map(\.shape) == [actual.shape])
    }

    @Test("shows the health with its fields, in the right order and with values of the right kind")
    func health() throws {
        var node = try node()
        let chip = HeldOutputs(chip: "gpiochip0", backend: "libgpiod")
        node.happens(.outputsAcquired(chip))
        node.send("state")
        let actual = try JSON(parsing: Array(try #require(node.last("health")).utf8))
        #expect(try page.values("### Health").map(\.shape) == [actual.shape])
    }

    @Test("documents each type of event, with its fields")
    func events() throws {
        var node = try node()
        node.send("edit", #"{"name":"Talk"}"#)
        node.linesFault = LinesFault("busy")
        node.send("stop")
        node.send("undo")
        node.send("stop")
        node.linesFault = nil
        node.wait(.seconds(3))
        node.wait(.seconds(600))
        node.send("timers", #"{"groups":[{"budget":1,"timers":[{"start":5}]}]}"#)
        node.send("start", "1/1")
        node.wait(.seconds(2))
        let events = try events(node)
        let types = Set(events.compactMap { $0["event_type"] })
        let modes: [JSON] = ["countdown", "warning", "final", "alarm", "paused", "stopped"]
        let own = Set(EventMessage.types).subtracting(ModeName.allCases.map(\.rawValue))
        #expect(types == Set(modes + own.map(JSON.string)))

        let told = Set(String(try page.section("### Events")).code)
        #expect(told.isSuperset(of: own))
        for event in events {
            let keys = event.shape.map { $0.split(separator: ":").first.map(String.init) ?? "" }
            #expect(keys.first == "event_type")
            #expect(keys.suffix(3) == ["remaining", "timer", "at"], "\(event.text)")
            // The fields of a run have a separate section.
            let own = Set(keys.dropFirst().dropLast(3).filter { !$0.hasPrefix("run.") })
            #expect(told.isSuperset(of: own), "\(own) of \(event.text)")
        }
        for example in try page.values("### Events") {
            let actual = try #require(events.first { $0["event_type"] == example["event_type"] })
            #expect(example.shape == actual.shape)
        }
    }

    @Test("shows timers as they are accepted, and then published")
    func timers() throws {
        var node = try node()
        let example = try #require(page.values("### Timers").first)
        #expect(node.send("timers", example.text)?["code"] == "conflict", "it is the revision in the example")
        let new = example.text.replacing(#""model_revision":3,"#, with: "")
        #expect(node.send("timers", new)?["status"] == "ok")
        #expect(try JSON(parsing: Array(try #require(node.last("timers")).utf8)) == example)
    }

    @Test("shows responses as they are published")
    func responses() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        node.wait(.milliseconds(18_500))
        let ok = node.send("pause", #"{"id":"b7"}"#)
        node.send("stop")
        node.wait(.seconds(10))
        let error = node.send("pause", #"{"id":"b7"}"#)
        let examples = try page.values("### Responses")
        #expect(Array(examples.prefix(2)) == [ok, error])
        let others = [node.send("time", #"{"id":"b7"}"#), node.send("runs", #"{"id":"b7"}"#)]
        #expect(examples.dropFirst(2).map(\.shape) == others.map { $0?.shape ?? [] })
    }
}
