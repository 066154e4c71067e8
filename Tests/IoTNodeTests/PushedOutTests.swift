import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// A broker such as mosquitto 2.0.11 gives no reason when another client with the same id connects: it only closes the
/// connection.
@Suite("A connection that is closed without a reason")
struct PushedOutTests {
    private static let close = "mqtt://broker.test:1883 closed the connection"

    /// A node whose connections are each accepted and then closed after a few seconds.
    private func node(closedAfter seconds: [Int], between: (inout Scenario) -> Void = { _ in }) throws -> Scenario {
        var node = try Scenario(connected: false)
        for (index, seconds) in seconds.enumerated() {
            if index > 0 { between(&node) }
            node.accept()
            node.wait(.seconds(seconds))
            let attempts = node.attempts.count
            node.lose(Self.close, isUnexplainedClose: true)
            // The node waits only until the next attempt, because an attempt without a response is another kind of
            // loss.
            while node.attempts.count == attempts { node.wait(.milliseconds(50)) }
        }
        return node
    }

    private func hints(_ node: Scenario) -> [Bool] {
        node.logs.filter { $0.contains(Self.close) }.map {
            $0.contains("another client with the client id timer-node-lectern seems to take over")
        }
    }

    @Test("soon, three times in a row, by a broker that stays available, was taken over by another client")
    func pattern() throws {
        #expect(hints(try node(closedAfter: [300, 5, 59, 1, 20])) == [false, false, false, true, true])
    }

    @Test("by a broker that is unavailable afterwards, or after a long time, was not taken over")
    func others() throws {
        let restarts = try node(closedAfter: [5, 5, 5, 5]) { $0.lose("connection refused") }
        #expect(hints(restarts) == [false, false, false, false])
        #expect(hints(try node(closedAfter: [5, 5, 60, 5, 5])) == [false, false, false, false, false])
    }

    @Test("is treated differently from one that is closed with a reason")
    func reasons() throws {
        var node = try Scenario()
        for _ in 0..<5 {
            node.lose("nothing came within the keep-alive")
            node.wait(.seconds(60))
            node.accept()
        }
        #expect(!node.logs.contains { $0.contains("another client") })
    }
}
