import BrokerLink
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("A message that a broker delivers for several remotes")
struct RemoteDeliveryTests {
    /// Two overlapping filters of which neither covers the other, and a separate one.
    private static let crossing = """
          - {topic: a/+, ignore_repeat: 0, map: {x: start}}
          - {topic: c, ignore_repeat: 0, map: {x: add +1}}
          - {topic: +/b, ignore_repeat: 0, map: {x: add +60}}
        """

    /// A node with a timer of ten minutes.
    private func scenario(_ remotes: String = crossing) throws -> Scenario {
        let remotes = try load("mqtt: {brokers: [mqtt://a]}\nremotes:\n\(remotes)").configuration.remotes
        return try Scenario(600, 0, 0) { $0.remotes = remotes }
    }

    private func remaining(_ node: Scenario) -> Int {
        node.core.timer.player.countdown.shownSeconds(at: node.now.instant)
    }

    @Test("is recognised by identifiers, which overlapping filters have")
    func identifiers() throws {
        let subscriptions = try scenario().subscriptions.filter { !$0.noLocal }.suffix(3)
        #expect(subscriptions.map(\.filter) == ["a/+", "c", "+/b"])
        #expect(subscriptions.map(\.identifier) == [1, nil, 3])
    }

    @Test(
        "acts once for each remote, in the order of the file, whatever the order and number of its copies",
        arguments: [[[1, 3]], [[1], [3]], [[3], [1]], [[1]], [[3]], [[]], [[], []]])
    func once(deliveries: [[Int]]) throws {
        var node = try scenario()
        for identifiers in deliveries { node.receive("a/b", "x", subscriptions: identifiers) }
        // In the opposite order, `add` is refused because no timer runs yet.
        #expect(remaining(node) == 660)
        #expect(node.warnings.isEmpty)
        #expect(deliveries.count == 1 || node.logs.last?.hasSuffix("the broker sent it again") == true)
    }

    @Test(
        "acts again when it is sent again, however soon",
        arguments: [
            [[1, 3], [1, 3]], [[1], [3], [1], [3]], [[3], [1], [3], [1]], [[1], [1]], [[], [], []], [[], [], [], []],
        ])
    func again(deliveries: [[Int]]) throws {
        var node = try scenario()
        for identifiers in deliveries { node.receive("a/b", "x", subscriptions: identifiers) }
        #expect(node.logs.count { $0.hasPrefix("remote a/+, ") } == 2)
        #expect(node.logs.count { $0.hasPrefix("remote +/b, ") } == 2)
    }

    @Test("with different content is a different message")
    func others() throws {
        var node = try scenario(
            "  - {topic: a/+, map: {x: start, y: add +60}}\n  - {topic: +/b, map: {z: stop}}")
        node.receive("a/b", "x", subscriptions: [1])
        node.receive("a/b", "y", subscriptions: [2])
        #expect(remaining(node) == 660)
    }

    @Test("without identifiers is not a copy if it is late or if the broker sends no copies")
    func withoutIdentifiers() throws {
        var node = try scenario()
        node.receive("a/b", "x")
        node.wait(Deliveries.longestDelay)
        node.receive("a/b", "x")
        node.receive("a/b", "x")
        #expect(node.logs.count { $0.hasPrefix("remote a/+, ") } == 2, "the third message is a copy of the second")
        node.wait(Deliveries.timeout)
        node.receive("a/c", "x")
        node.receive("a/b", "x")
        node.wait(Deliveries.timeout)
        for _ in 0..<3 { node.receive("a/b", "x") }
        #expect(node.logs.count { $0.hasPrefix("remote a/+, ") } == 7, "the last message had no copy either")
        // The next broker may behave differently.
        node.lose()
        node.wait(.seconds(60))
        node.accept()
        for _ in 0..<2 { node.receive("a/b", "x") }
        #expect(node.logs.count { $0.hasPrefix("remote a/+, ") } == 8)
    }

    @Test("acts each time if only one filter matches")
    func alone() throws {
        var node = try scenario()
        node.send("start")
        for _ in 0..<5 { node.receive("c", "x") }
        #expect(remaining(node) == 605)
    }
}
