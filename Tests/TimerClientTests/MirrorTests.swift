import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol

@Suite("A client mirrors")
struct MirrorTests {
    private func message(_ topic: String, _ text: String, retained: Bool = false) -> NodeClient.Event {
        .message(topic: topic, payload: Array(text.utf8), retained: retained)
    }

    private let now = NodeClient.Moment(
        instant: Instant(sinceEpoch: .seconds(5)), date: Date(timeIntervalSince1970: 1_700_000_000))

    @Test("each topic of a node")
    func topics() throws {
        var story = ClientStory(try Scenario(60, 40, 20))
        story.connect()
        story.send(.state)
        let mirror = try #require(story.mirror)
        #expect(mirror.isOnline && mirror.mode == .stopped && mirror.state?.timer.name == "Talk")
        #expect(mirror.timers?.model.groups.count == 1)
        #expect(mirror.health?.version == NodeVersion.current)
        story.send(.player(.start(selector: nil)))
        let events = story.news.compactMap { if case .event(_, let event) = $0 { event.kind } else { nil } }
        #expect(events == [.modeChanged(from: .stopped, to: .countdown)])
    }

    @Test("whether the node has published over this connection, and has left no command unanswered since")
    func heard() {
        var client = NodeClient()
        func hear(_ topic: String, _ text: String, retained: Bool = false) -> Bool? {
            _ = client.handle(message("timer/x/\(topic)", text, retained: retained), at: now)
            return client.nodes["x"]?.isHeard
        }
        _ = client.handle(.connected, at: now)
        #expect(hear("availability", "online", retained: true) == false)
        #expect(hear("mode", "stopped", retained: true) == false)
        #expect(hear("mode", "countdown") == true)
        #expect(client.handle(.disconnected, at: now) == [.changed(node: "x", .availability)])
        #expect(client.handle(.disconnected, at: now) == [])
        _ = client.handle(.connected, at: now)
        #expect(hear("mode", "countdown", retained: true) == false)
        let response = #"{"id":"1","command":"stop","status":"ok","mode":"stopped","remaining":5}"#
        #expect(
            client.handle(message("timer/x/response", response), at: now) == [.changed(node: "x", .availability)])
        #expect(client.nodes["x"]?.isHeard == true)

        let command = OutgoingCommand(id: "2", to: .node("x"), .player(.stop))
        _ = client.handle(.send(command), at: now)
        let later = NodeClient.Moment(instant: now.instant + .seconds(5), date: now.date.addingTimeInterval(5))
        #expect(
            client.handle(.timePassed, at: later) == [
                .ended(command: command, .timedOut(responses: 0)), .changed(node: "x", .availability),
            ])
        #expect(client.nodes["x"]?.isHeard == false)
        #expect(hear("tick", "4") == true)
    }

    @Test("only the nodes and topics that it was configured for, and subscribes to no others")
    func filters() {
        #expect(NodeClient(kinds: [.mode, .response]).filters == ["timer/+/mode", "timer/+/response"])
        #expect(NodeClient(prefix: "a/b", nodes: ["x", "y"], kinds: [.tick]).filters == ["a/b/x/tick", "a/b/y/tick"])
        var client = NodeClient(nodes: ["x"], kinds: [.tick])
        #expect(client.handle(.connected, at: now) == [.subscribe(["timer/x/tick"])])
    }

    @Test("no payload that a node cannot have published, and reports what is wrong with it")
    func unreadable() {
        var client = NodeClient()
        for topic in ["other/x/mode", "timer/x/colour", "timer/x/y/mode", "timer//mode"] {
            #expect(client.handle(message(topic, "countdown"), at: now) == [])
        }
        #expect(
            client.handle(message("timer/x/mode", "dancing"), at: now) == [
                .unreadable(
                    topic: "timer/x/mode",
                    PayloadError("found \"dancing\", expected stopped, countdown, warning, final, alarm or paused"))
            ])
        #expect(client.nodes.isEmpty)
    }

    @Test(
        "no node with an invalid id, since commands to it would have other recipients",
        arguments: [
            "all", "@x", "@hall-a", "Lectern", "-x", "_x", "é", "lecte rn", "a.b", "$SYS", "+", "#", "a\u{0}",
            String(repeating: "x", count: 64),
        ])
    func noNode(id: String) {
        var client = NodeClient(askingTimeAs: "guest")
        _ = client.handle(.connected, at: now)
        for (kind, text) in [("availability", "online"), ("mode", "stopped"), ("message", "")] {
            #expect(client.handle(message("timer/\(id)/\(kind)", text), at: now) == [])
        }
        #expect(client.nodes.isEmpty && client.nextInstant == nil)
    }

    @Test("a node until all its messages are cleared")
    func cleared() {
        var client = NodeClient()
        #expect(client.handle(message("timer/x/mode", ""), at: now) == [], "nothing was retained")
        _ = client.handle(message("timer/x/mode", "paused"), at: now)
        _ = client.handle(message("timer/x/availability", "offline"), at: now)
        #expect(client.handle(message("timer/x/mode", ""), at: now) == [.changed(node: "x", .mode)])
        #expect(client.nodes["x"]?.mode == nil && client.nodes["x"]?.availability == .offline)
        _ = client.handle(message("timer/x/availability", ""), at: now)
        #expect(client.nodes.isEmpty)
    }

    @Test("no more nodes than it has room for, however many are forged")
    func bounded() {
        var client = NodeClient()
        for number in 0..<2 * NodeClient.maximumNodes {
            _ = client.handle(message("timer/n\(number)/mode", "stopped"), at: now)
        }
        #expect(client.nodes.count == NodeClient.maximumNodes)
        _ = client.handle(message("timer/n5/mode", "alarm"), at: now)
        #expect(client.nodes["n5"]?.mode == .alarm)
    }

    /// Fields of a state that no node publishes.
    private static let impossibleFields: [[String: JSON]] = [
        ["start": 0, "progress": .number(1e300)], ["start": 0, "progress": -1], ["start": -5],
        ["precise_remaining": .number(9e15)], ["precise_remaining": .number(-9e15)], ["overtime": .number(9e15)],
    ]

    @Test("invalid states and ticks without a trap while counting", arguments: impossibleFields.indices)
    func senseless(place: Int) throws {
        var node = try Scenario(60, 40, 20)
        node.send("start")
        guard case .object(let members)? = node.state else {
            Issue.record("no state")
            return
        }
        let fields = Self.impossibleFields[place]
        let state = JSON.object(members.map { .init(key: $0.key, value: fields[$0.key] ?? $0.value) })
        for isRetained in [true, false] {
            for tick in ["0", "100", "9223372036854775807"] {
                var client = NodeClient()
                _ = client.handle(message("timer/x/availability", "online"), at: now)
                _ = client.handle(message("timer/x/state", state.text, retained: isRetained), at: now)
                for _ in 1...2 { _ = client.handle(message("timer/x/tick", tick), at: now) }
                let mirror = try #require(client.nodes["x"])
                for later in [0, 1, 1_000_000] { try check(mirror, at: now.instant + .seconds(later)) }
            }
        }
    }

    private func check(_ mirror: NodeMirror, at instant: Instant) throws {
        guard mirror.state != nil else { return }
        let progress = try #require(mirror.progress(at: instant))
        #expect(progress >= 0 && progress <= 1)
        #expect(try #require(mirror.remaining(at: instant)) >= .zero)
        if let next = mirror.nextSecond(after: instant) { #expect(next > instant) }
        _ = mirror.expectedEnd(at: NodeClient.Moment(instant: instant, date: now.date))
    }

    @Test("the newest state, even if an older state arrives later, and each state of a restarted process")
    func older() throws {
        var node = try Scenario(60, 40, 20)
        for command in ["start", "pause", "resume", "stop"] {
            node.send(command)
            if command != "resume" { node.wait(.seconds(1)) }
        }
        let first = node.publications.filter { $0.topic == "timer/lectern/state" }
        #expect(first.count >= 4)
        let newest = try StateMessage(try #require(first.last).payload)
        // At this time, no state is from the future.
        let now = NodeClient.Moment(instant: node.now.instant + .seconds(3600), date: now.date)
        for isRetained in [false, true] {
            var client = NodeClient(boot: "a boot")
            for state in first + first.reversed() {
                _ = client.handle(message("timer/lectern/state", state.text, retained: isRetained), at: now)
            }
            #expect(client.nodes["lectern"]?.state == newest)
            #expect(client.nodes["lectern"]?.mode == .stopped)
            // After a restart the revisions start again at 1, in the same boot and in another one, whose clock is
            // behind.
            for (boot, passed) in [("a boot", Duration.seconds(60)), ("another", .seconds(-500)), ("", .seconds(-900))]
            {
                let next = try Scenario(60, 40, 20, boot: boot, after: passed)
                let state = try #require(next.last("state"))
                _ = client.handle(message("timer/lectern/state", state, retained: isRetained), at: now)
                #expect(client.nodes["lectern"]?.state == (try StateMessage(Array(state.utf8))))
            }
            // Without the id of the boot, the order is unknown.
            let next = try #require(try Scenario(60, 40, 20, boot: "", after: .seconds(-950)).last("state"))
            _ = client.handle(message("timer/lectern/state", next, retained: isRetained), at: now)
            #expect(client.nodes["lectern"]?.state == (try StateMessage(Array(next.utf8))))
        }
    }

    @Test("the node's own state after a forged state from the future, if the node's clock is known")
    func forged() throws {
        var node = try Scenario(60, 40, 20)
        node.send("start")
        let state = try #require(node.last("state"))
        let forged = state.replacing(/"now":[0-9]+/, with: #""now":9000000000"#)
            .replacing(/"revision":[0-9]+/, with: #""revision":900"#)
        #expect(forged != state)
        var client = NodeClient(boot: "a boot")
        let now = NodeClient.Moment(instant: node.now.instant, date: node.now.date)
        for text in [state, forged] { _ = client.handle(message("timer/lectern/state", text), at: now) }
        #expect(client.nodes["lectern"]?.state?.revision == 900)
        _ = client.handle(message("timer/lectern/state", state), at: now)
        #expect(client.nodes["lectern"]?.state?.revision != 900)
    }

    @Test("no node from which only a tick has arrived")
    func tickAlone() {
        var client = NodeClient()
        #expect(client.handle(message("timer/x/tick", "5"), at: now) == [])
        #expect(client.nodes.isEmpty)
    }

    @Test("states with absurd dates, and counts without a trap", arguments: ["0001-01-01", "9999-12-31"])
    func absurd(day: String) throws {
        var node = try Scenario(60, 40, 20)
        node.send("start")
        let state = try #require(node.last("state"))
        let other = state.replacing(/"at":"[^"]*"/, with: "\"at\":\"\(day)T00:00:00Z\"")
        var client = NodeClient()
        _ = client.handle(message("timer/lectern/availability", "online"), at: now)
        for retained in [true, false, true] {
            _ = client.handle(message("timer/lectern/state", other, retained: retained), at: now)
            let mirror = try #require(client.nodes["lectern"])
            #expect(try #require(mirror.remaining(at: now.instant)) >= .zero)
            _ = mirror.nextSecond(after: now.instant)
        }
    }
}
