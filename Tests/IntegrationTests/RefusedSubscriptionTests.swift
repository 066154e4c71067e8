import Foundation
import Testing

@Suite("A subscription of a spawned node that a real broker refuses")
struct RefusedSubscriptionTests {
    private static let refused = ["timer/all/command", "desk/+"]

    @Test("is logged once, and everything else keeps working", arguments: ["5", "3.1.1"])
    func refused(version: String) throws {
        let broker = try MosquittoBroker(refusing: Self.refused)
        let node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)], protocol: \(version)}
            timers: {groups: [{timers: [{name: Talk, start: 3s, warning: 2s}]}]}
            remotes: [{topic: desk/+, map: {a: stop}}, {topic: hall/+, map: {a: stop}}]
            """)
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        let words = version == "5" ? "Not authorized (SUBACK 0x87)" : "Unspecified error (SUBACK 0x80)"
        for filter in Self.refused {
            try node.process.waitForLine(filter) {
                $0.hasSuffix("\(broker.url) refuses the subscription to \(filter): \(words)")
            }
        }

        // No client receives these.
        try MQTTProbe.publish(broker, "timer/all/command", #"{"id":"unheard","command":"start"}"#)
        try MQTTProbe.publish(broker, "timer/lectern/command", #"{"id":"heard","command":"start"}"#)
        try MQTTProbe.publish(broker, "desk/1", "a")
        try probe.wait(for: "the alarm") { $0.contains { $0.payload == "alarm" } }
        let progress = probe.messages.filter { ["mode", "tick"].contains($0.topic.split(separator: "/").last) }
        #expect(progress.map(\.payload) == ["stopped", "countdown", "3", "2", "warning", "1", "0", "alarm"])
        try MQTTProbe.publish(broker, "hall/1", "a")
        try probe.wait(for: "the stop") { $0.last { $0.topic == "timer/lectern/mode" }?.payload == "stopped" }
        #expect(!probe.messages.contains { $0.topic == "timer/lectern/response" && $0.payload.contains("unheard") })

        // The next connection gets the same refusals, which are not logged again.
        try broker.kill()
        try broker.restart()
        // The connection is closed, or reset if the broker had not read everything yet.
        try node.process.waitForLine("the loss") { $0.contains("no connection to \(broker.url)") }
        try waitUntil("another connection") {
            node.process.read()
            return node.process.errors.count { $0.contains("connected to \(broker.url)") } == 2
        }
        let after = try MQTTProbe(broker, "timer/lectern/response")
        try MQTTProbe.publish(broker, "timer/lectern/command/state", "")
        try after.wait(for: "a response") { !$0.isEmpty }
        node.process.read()
        #expect(node.process.errors.count { $0.contains(" refuses ") } == Self.refused.count)
        #expect(try node.process.terminate() == .exited(0))
    }
}
