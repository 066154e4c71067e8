import FoundationEssentials
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
        instant: TimerEngine.Instant(sinceEpoch: .seconds(5)), date: Date(timeIntervalSince1970: 1_700_000_000))

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

    @Test("the nodes and topics that it was asked for, and subscribes to no other")
    func filters() {
        #expect(NodeClient(kinds: [.mode, .response]).filters == ["timer/+/mode", "timer/+/response"])
        #expect(NodeClient(prefix: "a/b", nodes: ["x", "y"], kinds: [.tick]).filters == ["a/b/x/tick", "a/b/y/tick"])
        var client = NodeClient(nodes: ["x"], kinds: [.tick])
        #expect(client.handle(.connected, at: now) == [.subscribe(["timer/x/tick"])])
    }

    @Test("nothing of what no node publishes, and says what is wrong with it")
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

    @Test("a node until all of it was cleared")
    func cleared() {
        var client = NodeClient()
        #expect(client.handle(message("timer/x/mode", ""), at: now) == [], "nothing was there")
        _ = client.handle(message("timer/x/mode", "paused"), at: now)
        _ = client.handle(message("timer/x/availability", "offline"), at: now)
        #expect(client.handle(message("timer/x/mode", ""), at: now) == [.changed(node: "x", .mode)])
        #expect(client.nodes["x"]?.mode == nil && client.nodes["x"]?.availability == .offline)
        _ = client.handle(message("timer/x/availability", ""), at: now)
        #expect(client.nodes.isEmpty)
    }

    @Test("no more nodes than it has room for, however many somebody makes up")
    func bounded() {
        var client = NodeClient()
        for number in 0..<2 * NodeClient.maximumNodes {
            _ = client.handle(message("timer/n\(number)/mode", "stopped"), at: now)
        }
        #expect(client.nodes.count == NodeClient.maximumNodes)
        _ = client.handle(message("timer/n5/mode", "alarm"), at: now)
        #expect(client.nodes["n5"]?.mode == .alarm)
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
