import Foundation
import Testing
import TimerEngine

@Suite("Mirrors under the broker's access list")
struct MirrorExchangeTests {
    private static let mirrors = """
        mirrors:
          - {output: red, topic: hall/back red/POWER, on: "ON", off: "OFF", blink: BLINK}
          - {output: green, topic: hall/green, on: "on", off: "off"}
          - {show: digits, topic: hall/digits, value: '{"text":"{remaining}","by":"{speaker}"}', qos: 0}
        """

    private static func configuration(_ broker: String) -> String {
        """
        node: {id: lectern}
        mqtt: {brokers: [\(broker)], username: lectern, password_file: mqtt.password}
        timers: {groups: [{timers: [{name: Talk, start: 5s, warning: 4s, final: 2s}]}]}
        \(mirrors)
        """
    }

    /// A broker with the shipped access list, with lines added below the node's user; `hall` may read everything.
    private func broker(_ lines: [String]) throws -> MosquittoBroker {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../config/mosquitto/timer-node.acl").standardized
        let list = try String(contentsOf: path, encoding: .utf8).replacing(
            "\nuser lectern\n", with: "\nuser lectern\n\(lines.joined(separator: "\n"))\n")
        return try MosquittoBroker(
            users: ["lectern", "hall", "operator"], settings: ["acl_file FOLDER/acl"],
            files: ["acl": list + "\nuser hall\ntopic read hall/#\n"])
    }

    private func node(_ broker: MosquittoBroker) throws -> SpawnedNode {
        try SpawnedNode(
            Self.configuration(broker.url), files: ["mqtt.password": TestSecrets.password(of: "lectern")])
    }

    @Test("receive every change with the lines that check prints")
    func allowed() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try "mqtt: {brokers: [mqtt://a]}\n\(Self.mirrors)".write(to: file, atomically: true, encoding: .utf8)
        let check = try SpawnedNode.run("check", file.path)
        #expect(check.status == .exited(0))
        let lines = check.output.filter { $0.hasPrefix("topic write ") }
        #expect(lines == ["topic write hall/back red/POWER", "topic write hall/digits", "topic write hall/green"])

        let broker = try broker(lines)
        let hall = try MQTTProbe(broker, "hall/#", as: .init(name: "hall"))
        let node = try node(broker)
        try hall.wait(for: "OFF", on: "hall/back red/POWER")
        try MQTTProbe.publish(
            broker, "timer/lectern/command/speaker", #"Ada "A""#, as: .init(name: "operator"))
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "", as: .init(name: "operator"))
        try hall.wait(for: "BLINK", on: "hall/back red/POWER")
        try hall.wait(for: #"{"text":"0","by":"Ada \"A\""}"#, on: "hall/digits")
        let told = { topic in hall.messages.filter { $0.topic == topic }.map(\.payload) }
        #expect(told("hall/back red/POWER") == ["OFF", "ON", "BLINK"])
        #expect(told("hall/green") == ["off", "on", "off"])
        node.process.signal(SIGTERM)
        try node.process.waitForExit()
        try hall.wait(for: "the lamp to go off") { $0.last { $0.topic == "hall/back red/POWER" }?.payload == "OFF" }
    }

    @Test("are reported once each without them, and the node works")
    func forbidden() throws {
        let broker = try broker([])
        let node = try node(broker)
        try node.process.waitForLine("the refusal") { $0.contains("refuses") && $0.contains("hall/green") }
        let probe = try MQTTProbe(broker, "timer/#", as: .init(name: "operator"))
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "", as: .init(name: "operator"))
        try probe.wait(for: "alarm", on: "timer/lectern/mode")
        node.process.read()
        #expect(node.process.errors.count { $0.contains("refuses") && $0.contains("hall/green") } == 1)
    }
}
