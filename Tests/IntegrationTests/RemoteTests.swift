import Foundation
import Testing

@Suite("A remote of a spawned node on a real broker")
struct RemoteTests {
    private static let remotes = """
        remotes:
          - {topic: zigbee2mqtt/desk_button, path: action, map: {single: start, hold: stop}}
          - {topic: "desk/#", ignore_repeat: 1m, map: {more: add +60}}
          - {topic: desk/+, ignore_repeat: 1m, map: {less: add -30}}
        """

    private func node(_ broker: MosquittoBroker, protocol version: String) throws -> SpawnedNode {
        try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)], protocol: \(version)}
            timers: {groups: [{timers: [{name: Talk, start: 30:00}]}]}
            \(Self.remotes)
            """)
    }

    @Test("starts and stops the timer by another device's topic", arguments: ["5", "3.1.1"])
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

    @Test("is not started by a retained message, neither at the connection nor live", arguments: ["5", "3.1.1"])
    func retained(version: String) throws {
        let broker = try MosquittoBroker()
        try MQTTProbe.publish(broker, "zigbee2mqtt/desk_button", #"{"action":"single"}"#, retain: true)
        let node = try node(broker, protocol: version)
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        // MQTT 3.1.1 tells only a subscriber that comes later that a message is retained.
        if version == "5" {
            try MQTTProbe.publish(broker, "zigbee2mqtt/desk_button", #"{"action":"single"}"#, retain: true)
        }
        // Whatever was there before the answer has been seen by then.
        try MQTTProbe.publish(broker, "timer/lectern/command/state", "")
        try probe.wait(for: "the answer") { $0.contains { $0.topic == "timer/lectern/response" } }
        #expect(probe.messages.filter { $0.topic == "timer/lectern/mode" }.allSatisfy { $0.payload == "stopped" })
        try MQTTProbe.publish(broker, "zigbee2mqtt/desk_button", #"{"action":"single"}"#)
        try probe.wait(for: "countdown", on: "timer/lectern/mode")
        #expect(try node.process.terminate() == .exited(0))
    }

    @Test("acts once, where the broker sends a message for each subscription that matches", arguments: ["5", "3.1.1"])
    func overlapping(version: String) throws {
        let broker = try MosquittoBroker()
        let node = try node(broker, protocol: version)
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "stopped", on: "timer/lectern/mode")
        for (verb, payload) in [("start", ""), ("pause", ""), ("set", "20:00")] {
            try MQTTProbe.publish(broker, "timer/lectern/command/\(verb)", payload)
        }
        try MQTTProbe.publish(broker, "desk/1", "less")
        try MQTTProbe.publish(broker, "desk/1", "more")
        try MQTTProbe.publish(broker, "timer/lectern/command/state", "")
        let messages = try probe.wait(for: "the answer") {
            $0.contains { $0.payload.contains(#""command":"state""#) }
        }
        #expect(messages.last { $0.topic == "timer/lectern/state" }?.payload.contains(#""display":"20:30""#) == true)
        #expect(try node.process.terminate() == .exited(0))
    }
}
