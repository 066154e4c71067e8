import BrokerLink
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("A repeat of a remote's value")
struct RemoteRepeatTests {
    /// Returns how many times `add +60` was executed for messages at times in milliseconds after the beginning.
    private func count(
        _ messages: [(at: Int, topic: String, value: String)], ignoreRepeat: String = "500ms"
    ) throws -> Int {
        let yaml = """
            mqtt: {brokers: [mqtt://a]}
            remotes: [{topic: desk/+, ignore_repeat: \(ignoreRepeat), map: {a: add +60, b: add +60}}]
            """
        let remotes = try load(yaml).configuration.remotes
        var node = try Scenario(600, 0, 0) { $0.remotes = remotes }
        node.send("start")
        node.send("pause")
        let beginning = node.now.instant
        for message in messages {
            node.wait(.milliseconds(message.at) - beginning.duration(to: node.now.instant))
            node.receive(message.topic, message.value)
        }
        return (node.core.timer.player.countdown.shownSeconds(at: node.now.instant) - 600) / 60
    }

    @Test(
        "counts once within the configured time, which begins with the executed press",
        arguments: [
            ([0], 1), ([0, 0, 0], 1), ([0, 499], 1), ([0, 500], 2), ([0, 400, 800], 2), ([0, 300, 600, 900, 1200], 3),
        ])
    func sameValue(times: [Int], actions: Int) throws {
        #expect(try count(times.map { ($0, "desk/1", "a") }) == actions)
    }

    @Test("must be on the same topic, since a wildcard matches several buttons")
    func topics() throws {
        #expect(try count([(0, "desk/1", "a"), (100, "desk/2", "a"), (200, "desk/1", "a"), (300, "desk/2", "a")]) == 2)
    }

    @Test("is recognised even with another value in between")
    func values() throws {
        #expect(try count([(0, "desk/1", "a"), (100, "desk/1", "b"), (200, "desk/1", "a"), (300, "desk/1", "b")]) == 2)
    }

    @Test("counts each time if the time is 0")
    func never() throws {
        #expect(try count(Array(repeating: (0, "desk/1", "a"), count: 5), ignoreRepeat: "0") == 5)
    }

    @Test("is distinguished by remote")
    func remotes() throws {
        let remotes = try load(
            """
            mqtt: {brokers: [mqtt://a]}
            remotes:
              - {topic: desk, ignore_repeat: 10s, map: {a: add +60}}
              - {topic: desk, ignore_repeat: 1s, map: {a: add +1}}
            """
        ).configuration.remotes
        var node = try Scenario(600, 0, 0) { $0.remotes = remotes }
        node.send("start")
        node.send("pause")
        for _ in 0..<3 {
            node.receive("desk", "a")
            node.wait(.seconds(1))
        }
        #expect(node.core.timer.player.countdown.shownSeconds(at: node.now.instant) == 600 + 60 + 3)
    }

    @Test("is no longer recognised for the oldest of more than a thousand buttons, so memory use is bounded")
    func capacity() throws {
        let others = (0..<1024).map { (at: 1, topic: "desk/other-\($0)", value: "a") }
        let first = (at: 0, topic: "desk/1", value: "x")
        #expect(try count([first] + others.prefix(10) + others.prefix(10)) == 10)
        #expect(try count([(0, "desk/1", "a")] + others.prefix(1023) + [(2, "desk/1", "a")]) == 1024)
        #expect(try count([(0, "desk/1", "a")] + others + [(2, "desk/1", "a")]) == 1026)
    }
}
