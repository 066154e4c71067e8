import Foundation
import Testing

@Suite("A remote of a spawned node on a real broker")
struct RemoteTests {
    private static let remotes = """
        remotes:
          - {topic: zigbee2mqtt/desk_button, path: action, map: {single: start, hold: stop}}
          - {topic: desk/event/button/state, ignore_repeat: 0, map: {more: add +60}}
        """

    private static func yaml(
        _ broker: MosquittoBroker, protocol version: String, remotes: String = remotes
    ) -> String {
        """
        node: {id: lectern}
        mqtt: {brokers: [\(broker.url)], protocol: \(version)}
        timers: {groups: [{timers: [{name: Talk, start: 30:00}]}]}
        \(remotes)
        """
    }

    private func node(_ broker: MosquittoBroker, protocol version: String) throws -> SpawnedNode {
        try SpawnedNode(Self.yaml(broker, protocol: version))
    }

    @Test("starts and stops the timer through another device's topic", arguments: ["5", "3.1.1"])
    func press(version: String) throws {
        let broker = try MosquittoBroker()
        let node = try node(broker, protocol: version)
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "stopped", on: "timer/lectern/mode")
        try MQTTProbe.publish(broker, "zigbee2mqtt/desk_button", #"{"action":"","battery":97}"#)
        try MQTTProbe.publish(broker, "zigbee2mqtt/desk_button", #"{"action":"single","battery":97}"#)
        try probe.wait(for: "countdown", on: "timer/lectern/mode")
        try MQTTProbe.publish(broker, "zigbee2mqtt/desk_button", #"{"action":"hold","battery":97}"#)
        try probe.wait(for: "the stop") { $0.last { $0.topic == "timer/lectern/mode" }?.payload == "stopped" }
        #expect(!probe.messages.contains { $0.topic == "timer/lectern/response" })
        #expect(try node.process.terminate() == .exited(0))
    }

    @Test("acts on a device's retained publications, but never on stored messages", arguments: ["5", "3.1.1"])
    func retained(version: String) throws {
        let broker = try MosquittoBroker()
        let publish = { try MQTTProbe.publish(broker, "desk/event/button/state", "more", retain: true) }
        try publish()
        let node = try node(broker, protocol: version)
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try hold(broker, probe)
        #expect(try display(broker, probe) == "20:00", "the earlier message does not count as a press")
        try publish()
        #expect(try display(broker, probe) == "21:00")

        try node.reload(
            Self.yaml(broker, protocol: version).replacing(
                "node: {id: lectern}", with: "node: {id: lectern, groups: [hall]}"))
        try probe.wait(for: "another connection") {
            Array($0.filter { $0.topic.hasSuffix("/availability") }.map(\.payload).suffix(2)) == ["offline", "online"]
        }
        #expect(try display(broker, probe) == "21:00", "nor does it after the next connection")
        try publish()
        #expect(try display(broker, probe) == "22:00")
        #expect(try node.process.terminate() == .exited(0))
    }

    @Test(
        "acts once for each remote if the broker sends a message for each matching subscription",
        arguments: [("5", false), ("3.1.1", false), ("3.1.1", true)], [("desk/#", "desk/+"), ("desk/+", "+/1")])
    func overlapping(broker settings: (version: String, copies: Bool), filters: (String, String)) throws {
        let broker = try MosquittoBroker(settings: ["allow_duplicate_messages \(settings.copies)"])
        let node = try SpawnedNode(
            Self.yaml(
                broker, protocol: settings.version,
                remotes: """
                    remotes:
                      - {topic: "\(filters.0)", ignore_repeat: 0, map: {press: add +1}}
                      - {topic: "\(filters.1)", ignore_repeat: 0, map: {press: add +60}}
                    """))
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try hold(broker, probe)
        try MQTTProbe.publish(broker, "desk/1", "press")
        #expect(try display(broker, probe) == "21:01")
        #expect(try node.process.terminate() == .exited(0))
    }

    @Test("acts each time, no matter how soon a message follows an identical one, in MQTT 5")
    func twice() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode(
            Self.yaml(
                broker, protocol: "5",
                remotes: """
                    remotes:
                      - {topic: desk/+, ignore_repeat: 0, map: {more: add +60}}
                      - {topic: +/1, ignore_repeat: 0, map: {more: add +1}}
                    """))
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try hold(broker, probe)
        let publisher = try ChildProcess(
            "mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", "desk/1", "-m", "more", "--repeat", "5"])
        #expect(try publisher.waitForExit() == .exited(0))
        #expect(try display(broker, probe) == "25:05")
        #expect(try node.process.terminate() == .exited(0))
    }

    /// Sets the timer to 20:00, paused.
    private func hold(_ broker: MosquittoBroker, _ probe: MQTTProbe) throws {
        for (verb, payload) in [("start", ""), ("pause", ""), ("set", "20:00")] {
            try MQTTProbe.publish(broker, "timer/lectern/command/\(verb)", payload)
        }
        try probe.wait(for: "20:00") { $0.contains { $0.payload.contains(#""display":"20:00""#) } }
    }

    /// Returns the remaining time once the node has processed everything that was published before.
    private func display(_ broker: MosquittoBroker, _ probe: MQTTProbe) throws -> String? {
        let isAnswer = { (message: MQTTProbe.Message) in message.payload.contains(#""command":"state""#) }
        let answers = probe.messages.count(where: isAnswer)
        try MQTTProbe.publish(broker, "timer/lectern/command/state", "")
        let messages = try probe.wait(for: "the response") { $0.count(where: isAnswer) > answers }
        let state = messages.last { $0.topic == "timer/lectern/state" }?.payload ?? ""
        return state.firstMatch(of: /"display":"([^"]+)"/).map { String($0.output.1) }
    }
}
