import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A subscription that the broker refuses")
struct RefusedSubscriptionTests {
    private static let command = "timer/lectern/command/+"

    /// Returns the attempts for one filter so far, including the first one.
    private func tries(_ node: Scenario, _ filter: String = command) -> Int {
        node.allSubscriptions.count { $0.filter == filter }
    }

    /// Makes each broker refuse each attempt for the command filter for twenty minutes; returns the number of attempts.
    private func refuseEachTry(of node: inout Scenario, missing: Broker? = nil) -> Int {
        var (connections, answered) = (1, 0)
        for _ in 0..<1200 {
            if tries(node) > answered {
                answered = tries(node)
                node.refuse(Self.command)
            }
            node.wait(.seconds(1))
            guard node.attempts.count > connections else { continue }
            connections += 1
            if let missing, node.attempts.last?.broker == missing { node.lose("refused") } else { node.accept() }
        }
        return answered
    }

    private func brokers(_ count: Int) -> [Broker] { (0..<count).map { Broker(host: "\($0).test") } }

    @Test("is retried separately, with growing delays of up to a minute")
    func again() throws {
        var node = try Scenario()
        let subscribed = node.subscriptions
        let first = try #require(subscribed.first { $0.filter == Self.command })
        var delays: [Double] = []
        for number in 2...10 {
            node.refuse(Self.command)
            let start = node.now.instant
            while tries(node) < number { node.wait(.milliseconds(100)) }
            delays.append(start.duration(to: node.now.instant).inSeconds)
        }
        for (delay, longest) in zip(delays, [1.0, 2, 4, 8, 16, 32, 60, 60, 60]) {
            #expect(delay >= longest / 2 && delay <= longest + 0.1)
        }
        let again = node.subscriptions.dropFirst(subscribed.count)
        #expect(again.allSatisfy { $0 == first }, "with the same options, and no other filter")
        node.wait(.seconds(600))
        #expect(tries(node) == 10, "while the broker does not respond")
    }

    @Test("is not retried once it is accepted, which is logged")
    func accepted() throws {
        var node = try Scenario()
        node.refuse(Self.command)
        node.wait(.seconds(1))
        node.accept(Self.command)
        node.wait(.seconds(600))
        #expect(tries(node) == 2)
        #expect(node.logs.last == "mqtt://broker.test:1883 now accepts the subscription to \(Self.command)")
        node.refuse(Self.command)
        node.wait(.seconds(1))
        #expect(tries(node) == 3, "the delays begin anew")
    }

    @Test("is not retried if libmosquitto itself refuses it, and the node stays with the broker")
    func library() throws {
        var node = try Scenario(brokers: brokers(2))
        let rejection = Rejection(.subscription(filter: Self.command), code: nil, reason: "Invalid arguments")
        node.happens(.connection(.rejected(rejection)))
        node.wait(.seconds(600))
        #expect(tries(node) == 1 && node.attempts.count == 1)
        #expect(node.last("availability") == "online")
    }

    @Test("is forgotten with the connection, and sent again with the next one")
    func connection() throws {
        var node = try Scenario()
        node.refuse(Self.command)
        node.lose()
        node.wait(.seconds(60))
        #expect(tries(node) == 1)
        node.accept()
        #expect(tries(node) == 2)
    }

    @Test(
        "three times in a row makes the node say goodbye and connect to the next broker",
        arguments: [Self.command, "timer/all/command"])
    func nextBroker(filter: String) throws {
        var node = try Scenario(brokers: brokers(3))
        for _ in 0..<2 {
            node.refuse(filter)
            node.wait(.seconds(2))
        }
        #expect(node.attempts.count == 1)
        node.refuse(filter)
        #expect(node.last("availability") == "offline", "on the broker that it left")
        #expect(!node.isConnected)
        #expect(node.logs.last?.hasPrefix("leaving mqtt://0.test:1883 for the next broker: it keeps refusing") == true)
        node.wait(.seconds(60))
        #expect(node.attempts.map(\.broker.host).prefix(2) == ["0.test", "1.test"])
        node.accept()
        #expect(node.last("availability") == "online")
    }

    @Test("does not lose commands that arrive with the last refusal; they are answered on the next broker")
    func answers() throws {
        var node = try Scenario(brokers: brokers(3))
        for _ in 0..<2 {
            node.refuse(Self.command)
            node.wait(.seconds(2))
        }
        let start = IncomingMessage(topic: "timer/all/command/start", payload: Array(#"{"id":"a"}"#.utf8))
        let refusal = Rejection(.subscription(filter: Self.command), code: 0x80, reason: "Unspecified error")
        node.happens(.connection(.message(start)), .connection(.rejected(refusal)))
        #expect(node.core.timer.player.mode == .countdown && node.last("response") == nil)
        node.wait(.seconds(60))
        node.accept()
        #expect(node.last("response")?.contains(#""id":"a""#) == true)
    }

    @Test(
        "causes a short delay after a good connection, however long the last outage was",
        arguments: [1, 2, 3, 4, 5] as [UInt64])
    func shortDelay(seed: UInt64) throws {
        var node = try Scenario(brokers: brokers(2), connected: false, seed: seed)
        for _ in 0..<12 {
            node.lose()
            node.wait(.seconds(60))
        }
        node.accept()
        node.wait(.seconds(7200))
        let before = node.attempts.count
        for _ in 0..<3 {
            node.refuse(Self.command)
            node.wait(.seconds(node.attempts.count == before ? 2 : 0))
        }
        #expect(node.warnings.last?.hasPrefix("leaving ") == true)
        #expect(node.attempts.count == before + 1, "within two seconds of the loss")
    }

    @Test("keeps the connection if an access list is the reason, if it is for a remote, or without another broker")
    func stays() throws {
        let remotes = [
            NodeConfiguration.Remote(
                topic: try TopicFilter("desk/+"), path: nil, conditions: [], ignoreRepeat: .zero, commands: [:])
        ]
        for (filter, code, count) in [(Self.command, 0x87, 2), ("desk/+", 0x80, 2), (Self.command, 0x80, 1)] {
            var node = try Scenario(brokers: brokers(count)) {
                $0.remotes = remotes
            }
            for _ in 0..<10 {
                node.refuse(filter, code: code)
                node.wait(.seconds(61))
            }
            #expect(node.attempts.count == 1)
            #expect(tries(node, filter) == 11)
        }
    }

    @Test("by every broker indicates an access list in MQTT 3.1.1: each is tried; the node stays with the last")
    func everywhere() throws {
        var node = try Scenario(brokers: brokers(3))
        #expect(refuseEachTry(of: &node) > 20, "it keeps trying")
        #expect(node.attempts.map(\.broker.host) == ["0.test", "1.test", "2.test"])
    }

    @Test("does not make the node switch forever if the next broker is down", arguments: [2, 3])
    func nextIsDown(count: Int) throws {
        var node = try Scenario(brokers: brokers(count))
        _ = refuseEachTry(of: &node, missing: brokers(count).last)
        let before = node.attempts.count
        node.wait(.seconds(600))
        #expect(node.attempts.count == before && before <= 2 * count, "it stays with a broker that is available")
        #expect(node.last("availability") == "online")
    }

    @Test("together with other refusals makes the node leave one broker once, and no other broker")
    func atOnce() throws {
        var node = try Scenario(brokers: brokers(3))
        let filters = ["timer/all/command", "timer/all/command/+", Self.command]
        for _ in 0..<3 {
            let refusals = filters.map {
                NodeEvent.connection(.rejected(Rejection(.subscription(filter: $0), code: 0x80, reason: "refused")))
            }
            let announcement = Rejection(
                .publication(topic: "homeassistant/device/lectern/config", isRetained: true), code: 0x97,
                reason: "quota")
            node.happens(
                refusals[0], refusals[1], refusals[2], .connection(.rejected(announcement)),
                .connection(.accepted(filter: filters[0])))
            node.wait(.seconds(3))
        }
        #expect(node.warnings.count { $0.contains(" refuses the subscription") } == 3)
        #expect(node.warnings.count { $0.hasPrefix("leaving ") } == 1)
        #expect(!node.warnings.contains { $0.contains("1.test") || $0.contains("2.test") })
        node.wait(.seconds(3))
        #expect(node.attempts.map(\.broker.host).prefix(2) == ["0.test", "1.test"])
        // No action remains due without being performed.
        #expect(node.core.nextInstant.map { $0 > node.now.instant } ?? true)
    }

    @Test("does not affect the lamps or any other commands")
    func running() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.refuse("timer/all/command")
        node.wait(.seconds(6))
        #expect(node.last("mode") == "alarm")
        #expect(node.send("stop")?["status"] == "ok")
    }
}
