import BrokerLink
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The mirrors of a node")
struct MirrorTests {
    private static let lamps = """
          - {output: green, topic: hall/green, on: "on", off: "off"}
          - {output: red, topic: hall/red, on: "on", off: "off", blink: "flash"}
        """
    private static let digits = "  - {show: digits, topic: hall/digits, value: '{display}', qos: 0"

    /// A node with a timer of 6 s, a warning at 4 s and a final time of 2 s.
    private func scenario(_ mirrors: String, connected: Bool = true) throws -> Scenario {
        let mirrors = try load("mqtt: {brokers: [mqtt://a]}\nmirrors:\n\(mirrors)").configuration.mirrors
        return try Scenario(connected: connected) { $0.mirrors = mirrors }
    }

    private func told(_ node: Scenario, from start: Int = 0) -> [String] {
        node.publications.dropFirst(start).filter { $0.topic.hasPrefix("hall/") }.map {
            "\($0.topic.dropFirst(5)) \(String(decoding: $0.payload, as: UTF8.self))"
        }
    }

    @Test("show what the outputs do, blinking as the device's own effect, each change once")
    func outputs() throws {
        var node = try scenario(Self.lamps)
        #expect(told(node) == ["green off", "red off"])
        node.send("start")
        node.wait(.seconds(30))
        #expect(told(node) == ["green off", "red off", "green on", "green off", "red on", "red flash"])
        node.send("stop")
        #expect(told(node).last == "red off")
    }

    @Test("are told after the node's own lamps and messages")
    func order() throws {
        var node = try scenario(Self.lamps)
        let before = node.publications.count
        node.send("start")
        #expect(node.lit == "green")
        let topics = node.publications.dropFirst(before).map(\.topic)
        #expect(topics.last == "hall/green" && topics.contains("timer/lectern/response"))
    }

    @Test("are told everything again on each connection, and nothing without one")
    func connections() throws {
        var node = try scenario(Self.lamps, connected: false)
        node.wait(.seconds(5))
        #expect(told(node).isEmpty)
        node.accept()
        #expect(told(node) == ["green off", "red off"])
        let count = node.publications.count
        node.lose()
        node.wait(.seconds(60))
        node.accept()
        #expect(told(node, from: count) == ["green off", "red off"])
    }

    @Test("are turned off when the node stops, but for digits")
    func stops() throws {
        var node = try scenario(
            "\(Self.lamps)\n\(Self.digits)}\n  - {show: mode, topic: hall/mode, map: {stopped: dark, countdown: go}}")
        node.send("start")
        let count = node.publications.count
        node.happens(.terminate)
        #expect(told(node, from: count) == ["green off", "mode dark"])
    }

    @Test("show the mode with its payload, and stay as they are in a mode without one")
    func modes() throws {
        var node = try scenario(
            "  - {show: mode, topic: hall/mode, map: {countdown: go, alarm: '{mode} {color}'}}")
        node.send("start")
        node.wait(.seconds(8))
        node.send("stop")
        #expect(told(node) == ["mode go", "mode alarm #FF0000"])
    }

    @Test("show the digits once a second, or less often")
    func digitsOnTime() throws {
        var node = try scenario(Self.digits + "}")
        node.send("start")
        node.wait(.seconds(7))
        #expect(told(node) == ["digits 6", "digits 5", "digits 4", "digits 3", "digits 2", "digits 1", "digits "])
        var slow = try scenario(Self.digits + ", every: 3s}")
        slow.send("start")
        slow.wait(.seconds(7))
        // A change of the mode is told at once.
        #expect(told(slow) == ["digits 6", "digits 4", "digits 2", "digits "])
    }

    @Test("follow a reloaded configuration: those that are left out are turned off")
    func reload() throws {
        var node = try scenario(Self.lamps)
        node.send("start")
        let count = node.publications.count
        var configuration = node.core.configuration
        configuration.mirrors = try load(
            "mqtt: {brokers: [mqtt://a]}\nmirrors: [{output: green, topic: hall/other, on: x, off: y}]"
        ).configuration.mirrors
        node.reload(.success(.init(configuration)))
        #expect(told(node, from: count) == ["green off", "other x"])
    }

    @Test("are told again a second after the connection dropped messages")
    func dropped() throws {
        var node = try scenario(Self.lamps)
        let count = node.publications.count
        node.happens(.connection(.dropped(3)))
        node.wait(.milliseconds(900))
        #expect(told(node, from: count).isEmpty)
        node.wait(.milliseconds(200))
        #expect(told(node, from: count) == ["green off", "red off"])
    }
}
