import BrokerLink
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The remotes of a node")
struct RemoteTests {
    /// A node with a timer of a minute and these remotes.
    private func scenario(_ remotes: String, connected: Bool = true) throws -> Scenario {
        let remotes = try load("mqtt: {brokers: [mqtt://a]}\nremotes:\n\(remotes)").configuration.remotes
        return try Scenario(60, 0, 0, connected: connected) { $0.remotes = remotes }
    }

    private static let button =
        "  - {topic: desk/button, path: action, map: {single: toggle, double: next, hold: stop}}"

    @Test("start and stop the timer without a response")
    func press() throws {
        var node = try scenario(Self.button)
        node.receive("desk/button", #"{"action":"single"}"#, responseTopic: "me")
        #expect(node.last("mode") == "countdown")
        #expect(node.lit == "green")
        node.wait(.seconds(1))
        node.receive("desk/button", #"{"action":"hold"}"#)
        #expect(node.last("mode") == "stopped")
        #expect(node.last("response") == nil)
        #expect(!node.publications.contains { $0.topic == "me" })
    }

    @Test("are subscribed to with the commands on each connection, each filter once")
    func subscriptions() throws {
        var node = try scenario(
            "  - {topic: a/+, map: {x: start}}\n  - {topic: b, map: {x: start}}\n  - {topic: a/+, path: p, map: {x: stop}}"
        )
        // Retained commands are refused, so their flag must be visible; some devices publish each press retained.
        let commands = Topics(prefix: "timer", node: "lectern", groups: ["hall-a"]).commandFilters.map {
            Subscription($0, retainAsPublished: true)
        }
        let remotes = ["a/+", "b"].map { Subscription($0, retainAsPublished: false) }
        let ofOthers = { (node: Scenario) in node.subscriptions.filter { !$0.noLocal } }
        #expect(ofOthers(node) == commands + remotes)
        node.lose()
        node.wait(.seconds(60))
        node.accept()
        #expect(ofOthers(node) == commands + remotes)
    }

    @Test("that are refused change nothing, and are logged")
    func refused() throws {
        var node = try scenario("  - {topic: desk/+, map: {a: add +60, b: start 7/1}}")
        let before = node.state
        node.receive("desk/1", "a")
        #expect(
            node.logs.last == """
                refused remote desk/+, "a": add +60: not_allowed: add needs a running, paused or alarmed timer; this one \
                is stopped
                """)
        node.receive("desk/1", "b")
        #expect(node.logs.last == #"refused remote desk/+, "b": start 7/1: not_found: there is no timer "7/1""#)
        #expect(node.state == before)
        #expect(node.last("response") == nil)
    }

    @Test("are not held back by the rate limit of commands")
    func noRateLimit() throws {
        var node = try scenario(Self.button)
        for _ in 0..<100 { node.send("start") }
        #expect(node.send("start")?["code"] == "rate_limited")
        node.receive("desk/button", #"{"action":"hold"}"#)
        #expect(node.last("mode") == "stopped")
    }

    @Test("do not read large messages in a flood, but always read small ones")
    func largeFlood() throws {
        var node = try scenario("  - {topic: desk/button, path: action, ignore_repeat: 0, map: {single: add +1}}")
        node.send("start")
        let large = #"{"action":"single","x":""# + String(repeating: "x", count: 60_000) + #""}"#
        for _ in 0..<100 { node.receive("desk/button", large) }
        #expect(node.core.timer.player.countdown.shownSeconds(at: node.now.instant) == 67, "100 / 14")
        for _ in 0..<100 { node.receive("desk/button", #"{"action":"single"}"#) }
        #expect(node.core.timer.player.countdown.shownSeconds(at: node.now.instant) == 167)
        node.wait(.seconds(1))
        node.receive("desk/button", large)
        #expect(node.core.timer.player.countdown.shownSeconds(at: node.now.instant) == 167)
    }

    @Test(
        "use the whole payload, trimmed of white space, if there is no path",
        arguments: ["ON", " ON", "ON\n", "\tON\r\n"])
    func plain(payload: String) throws {
        var node = try scenario("  - {topic: bell, map: {ON: start}}")
        node.receive("bell", payload)
        #expect(node.last("mode") == "countdown")
    }

    @Test("accept an empty payload as a value")
    func empty() throws {
        var node = try scenario(#"  - {topic: bell, map: {"": start}}"#)
        node.receive("bell", "x")
        #expect(node.last("mode") == "stopped")
        node.receive("bell", "")
        #expect(node.last("mode") == "countdown")
    }

    @Test(
        "use the text of numbers and booleans",
        arguments: [
            ("1", "1"), ("1", "1.0"), ("1", "\"1\""), ("-2", "-2"), ("1.5", "1.50"), ("true", "true"),
            ("false", "false"),
            ("1000", "1e3"), ("a b", "\"a b\""), ("\\\"", #""\"""#),
        ])
    func scalars(key: String, json: String) throws {
        var node = try scenario(#"  - {topic: keys, path: "a[1].b", map: {"\#(key)": start}}"#)
        node.receive("keys", #"{"a":[0,{"b":\#(json)}]}"#)
        #expect(node.last("mode") == "countdown")
    }

    @Test(
        "do nothing for any other value",
        arguments: [
            #"{"action":"triple"}"#, #"{"action":"SINGLE"}"#, #"{"action":" single"}"#, #"{"action":""}"#,
            #"{"action":null}"#, #"{"action":["single"]}"#, #"{"action":{"single":1}}"#, #"{"Action":"single"}"#, "{}",
            "[]", #""single""#,
        ])
    func others(payload: String) throws {
        var node = try scenario(Self.button + "\n  - {topic: desk/button, map: {null: stop}}")
        node.send("start")
        let before = node.publications.count
        node.receive("desk/button", payload)
        #expect(node.publications.count == before)
        #expect(node.logs.last?.hasPrefix(#"remote desk/button: no action for the message on "desk/button": "#) == true)
    }

    @Test("do nothing for other topics")
    func otherTopics() throws {
        var node = try scenario(Self.button)
        for topic in ["desk/button/action", "desk", "desk/Button", "timer/lectern/state", "homeassistant/status"] {
            node.receive(topic, #"{"action":"single"}"#)
        }
        #expect(node.last("mode") == "stopped")
    }

    @Test("do nothing for a retained message")
    func retained() throws {
        var node = try scenario(Self.button)
        node.receive("desk/button", #"{"action":"single"}"#, retained: true)
        #expect(node.last("mode") == "stopped")
        node.receive("desk/button", #"{"action":"single"}"#)
        #expect(node.last("mode") == "countdown", "nor does it make the next message a repeat")
    }

    @Test("ignore unreadable messages, with at most one warning a minute, and log each at level debug")
    func unreadable() throws {
        var node = try scenario(Self.button + "\n  - {topic: plain, map: {a: start}}")
        let before = node.logs.count
        node.receive("desk/button", "single")
        node.receive("plain", [0xFF])
        node.receive("plain", Array(repeating: 0x61, count: 65_537))
        for _ in 0..<1000 { node.receive("desk/button", "{") }
        #expect(
            Array(node.logs[before..<before + 3]) == [
                """
                remote desk/button: ignored a message on "desk/button": not JSON: found 's' at byte 1, expected a value
                """,
                #"remote plain: ignored a message on "plain": the payload is not valid UTF-8"#,
                """
                remote plain: ignored a message on "plain": the payload is 65537 bytes, more than the limit of 65536
                """,
            ])
        #expect(node.logs.count == before + 1003)
        #expect(node.warnings == [node.logs[before]])
        node.wait(.milliseconds(59_999))
        node.receive("desk/button", "{")
        #expect(node.warnings.count == 1)
        node.wait(.milliseconds(2))
        node.receive("desk/button", "{")
        node.receive("desk/button", "{")
        #expect(node.warnings.count == 2)
        #expect(node.logs.count == before + 1006)
        #expect(node.last("mode") == "stopped")
    }

    @Test("read a payload of 64 KiB")
    func large() throws {
        var node = try scenario(Self.button)
        let json = #"{"action":"single","x":""#
        let filler = String(repeating: "a", count: 65_536 - json.utf8.count - 2)
        node.receive("desk/button", json + filler + "\"}")
        #expect(node.last("mode") == "countdown")
    }

    @Test("work again after a loss of the broker")
    func reconnected() throws {
        var node = try scenario(Self.button)
        node.lose()
        node.wait(.seconds(60))
        node.accept()
        node.receive("desk/button", #"{"action":"single"}"#)
        #expect(node.last("mode") == "countdown")
    }
}

extension Scenario {
    /// Delivers a message from another device.
    mutating func receive(
        _ topic: String, _ payload: String, retained: Bool = false, responseTopic: String? = nil,
        subscriptions: [Int] = []
    ) {
        send(
            topic: topic, Array(payload.utf8), retained: retained, responseTopic: responseTopic,
            subscriptions: subscriptions)
    }

    /// Delivers a message from another device.
    mutating func receive(_ topic: String, _ payload: [UInt8]) {
        send(topic: topic, payload)
    }
}
