import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The connection")
struct ConnectionTests {
    @Test("begins with the will; once accepted, the node subscribes and publishes everything once")
    func birth() throws {
        let node = try Scenario()
        let request = try #require(node.attempts.first)
        let will = OutgoingMessage(topic: "timer/lectern/availability", text: "offline", retain: true)
        #expect(request.will?.encoded == will)
        #expect(request.broker == Broker(host: "broker.test"))
        #expect(
            node.subscriptions.map(\.filter) == [
                "timer/lectern/command/+", "timer/lectern/command", "timer/all/command/+", "timer/all/command",
                "timer/@hall-a/command/+", "timer/@hall-a/command",
            ] + TopicKind.allCases.filter(\.isRetained).map { "timer/lectern/\($0.rawValue)" })
        #expect(
            node.publications.map(\.topic)
                == ["availability", "timers", "mode", "state", "runs", "agenda", "programme", "message", "health"].map {
                    "timer/lectern/\($0)"
                })
        #expect(node.publications.allSatisfy { $0.retain && $0.qos == .atLeastOnce })
    }

    @Test("is tried again however it ended, with delays that grow to a minute and are jittered")
    func backoff() throws {
        var node = try Scenario(connected: false)
        var delays: [Double] = []
        for _ in 0..<40 {
            let before = node.now.instant
            let attempts = node.attempts.count
            node.lose("connection refused")
            while node.attempts.count == attempts { node.wait(.milliseconds(50)) }
            delays.append(before.duration(to: node.now.instant).inSeconds)
        }
        for (index, delay) in delays.enumerated() {
            #expect(delay <= min(60, Double(1 << min(index, 6))) + 0.05)
        }
        #expect(Set(delays).count > 20, "they are spread")
        #expect(delays.max() ?? 0 > 30)
        #expect(node.logs.filter { $0.contains("connection refused") }.count == 1, "one reason is logged once")
    }

    @Test("begins with short delays again only after a minute connected", arguments: [(59, false), (60, true)])
    func backoffReset(seconds: Int, short: Bool) throws {
        var node = try Scenario(connected: false)
        for _ in 0..<12 {
            node.lose()
            node.wait(.seconds(60))
        }
        node.accept()
        node.wait(.seconds(seconds))
        node.lose()
        let next = try #require(node.core.nextInstant)
        #expect((node.now.instant.duration(to: next) <= .seconds(1)) == short)
    }

    @Test("that another client takes over repeatedly is retried less and less often")
    func takeover() throws {
        var node = try Scenario(connected: false)
        var delays: [Double] = []
        for _ in 0..<20 {
            node.accept()
            node.wait(.seconds(30))
            node.lose("another client took over the client id timer-node-lectern")
            let next = try #require(node.core.nextInstant)
            delays.append(node.now.instant.duration(to: next).inSeconds)
            node.wait(.seconds(60))
        }
        #expect(delays.suffix(10).max() ?? 0 > 30)
        #expect(node.logs.contains { $0.hasSuffix(": another client took over the client id timer-node-lectern") })
    }

    @Test("continues if the broker refuses something, which is logged once")
    func denied() throws {
        var node = try Scenario()
        let line =
            "mqtt://broker.test:1883 refuses the subscription to timer/all/command/+: Not authorized (SUBACK 0x87)"
        for _ in 0..<3 {
            node.refuse("timer/all/command/+", code: 0x87, "Not authorized (SUBACK 0x87)")
            node.lose()
            node.wait(.seconds(60))
            node.accept()
        }
        #expect(node.logs.filter { $0 == line }.count == 1)
        for number in 0..<100 { node.refusePublication(on: "answers/\(number)", code: 0x87, isRetained: false) }
        #expect(node.logs.filter { $0.contains("answers/") }.count == 31, "clients choose the response topics")
    }

    @Test("is abandoned if no CONNACK arrives within ten seconds, and the next broker is tried")
    func timeout() throws {
        var node = try Scenario(brokers: [Broker(host: "a.test"), Broker(host: "b.test")], connected: false)
        node.wait(.milliseconds(9999))
        #expect(node.attempts.map(\.broker.host) == ["a.test"])
        node.wait(.milliseconds(1))
        #expect(node.logs.last?.contains("no CONNACK within 10 s") == true)
        node.wait(.seconds(1))
        #expect(node.attempts.map(\.broker.host) == ["a.test", "b.test"])
    }

    @Test("ends within half a second when the node is stopped, even if the broker hangs")
    func goodbye() throws {
        var node = try Scenario()
        node.isBrokerFrozen = true
        let before = node.now.instant
        node.happens(.terminate)
        #expect(node.hasExited && before.duration(to: node.now.instant) == .milliseconds(500))
    }

    @Test("publishes only current values after a reconnect")
    func newestOnly() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        node.lose()
        node.wait(.seconds(30))
        node.accept()
        #expect(node.last("mode") == "countdown")
        #expect(node.state?["remaining"] == 30)
        #expect(node.publications.filter { $0.topic.hasSuffix("/tick") }.count == 1, "ticks are never queued")
    }

    @Test("publishes the state at each change, but not when only a second has passed")
    func stateChanges() throws {
        var node = try Scenario(6, 4, 2)
        let states = { (node: Scenario) in node.publications.filter { $0.topic.hasSuffix("/state") }.count }
        #expect(node.state?["revision"] == 1)
        node.send("start")
        #expect(states(node) == 2)
        node.wait(.milliseconds(1999))
        #expect(states(node) == 2, "a second passed")
        node.wait(.milliseconds(1))
        #expect(states(node) == 3, "the warning began")
        #expect(node.state?["revision"] == 3)
        node.wait(.seconds(4))
        #expect(node.state?["outputs"]?["buzzer"] == "blink")
        node.wait(.seconds(10))
        #expect(node.state?["outputs"]?["buzzer"] == "off")
    }

    @Test("publishes the wall clock time at which the run ends, or null while no timer is running")
    func endsAt() throws {
        var node = try Scenario(60, 0, 0)
        #expect(node.state?["ends_at"] == .null)
        node.send("start")
        #expect(node.state?["ends_at"] == "2023-11-14T22:14:20.000Z")
        node.send("pause")
        #expect(node.state?["ends_at"] == .null)
        #expect(node.state?["paused_mode"] == "countdown")
    }

    @Test(
        "publishes ticks at QoS 0, not retained, as often as configured", arguments: [(1, 7), (2, 4), (5, 2), (0, 0)])
    func tickEvery(seconds: Int, count: Int) throws {
        var node = try Scenario(6, 0, 0) { $0.mqtt?.tickEvery = .seconds(seconds) }
        node.send("start")
        node.wait(.seconds(6))
        let ticks = node.publications.filter { $0.topic == "timer/lectern/tick" }
        #expect(ticks.count == count)
        #expect(ticks.allSatisfy { $0.qos == .atMostOnce && !$0.retain })
    }
}
