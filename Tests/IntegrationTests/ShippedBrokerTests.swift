import Foundation
import Testing

/// Tests the broker configuration in config/mosquitto with a real mosquitto.
@Suite("The shipped configuration of a broker")
struct ShippedBrokerTests {
    private let authority: CertificateAuthority
    private let broker: MosquittoBroker
    private let node: SpawnedNode
    private let viewer: MQTTProbe

    init() throws {
        authority = try CertificateAuthority()
        let pair = try authority.issue("broker")
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/mosquitto/")
            .standardized.path
        let shipped = try String(contentsOfFile: "\(folder)/timer-node.conf", encoding: .utf8)
        // The rest of the file is tested unchanged.
        let settings = shipped.replacing("/etc/mosquitto/certs/broker.pem", with: pair.certificate)
            .replacing("/etc/mosquitto/certs/broker.key", with: pair.key)
            .replacing("/etc/mosquitto/timer-node.passwords", with: "PASSWORDS")
            .replacing("/etc/mosquitto/timer-node.acl", with: "\(folder)/timer-node.acl")
            .components(separatedBy: "\n").filter { !$0.hasPrefix("listener ") && !$0.hasPrefix("#") }
        let users = ["lectern", "lobby", "viewer", "remote", "operator", "homeassistant"]
        broker = try MosquittoBroker(
            users: users, settings: settings)
        node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt:
              brokers: [mqtts://localhost:\(broker.port)]
              username: lectern
              password_file: mqtt.password
              tls: {ca: \(authority.certificate)}
            """, files: ["mqtt.password": TestSecrets.password(of: "lectern")])
        try node.process.waitForLine("the connection") { $0.contains("connected to mqtts://localhost") }
        viewer = try MQTTProbe(broker, "timer/#", as: Self.user("viewer", authority))
    }

    private static func user(_ name: String, _ authority: CertificateAuthority) -> MQTTProbe.User {
        MQTTProbe.User(name: name, ca: authority.certificate)
    }

    private func publish(_ topic: String, _ payload: String = "", as name: String) throws {
        try MQTTProbe.publish(broker, topic, payload, as: Self.user(name, authority))
    }

    /// The ids of the commands that the node has responded to, in order, once it has responded to the last one.
    private func answered(until last: String) throws -> [String] {
        // The viewer also receives the commands.
        let isAnswer = { (message: MQTTProbe.Message) in message.topic == "timer/lectern/response" }
        return try viewer.wait(for: "a response to \(last)") {
            $0.contains { isAnswer($0) && $0.payload.contains(#""id":"\#(last)""#) }
        }
        .filter(isAnswer)
        .compactMap { $0.payload.firstMatch(of: /"id":"([^"]*)"/).map { String($0.1) } }
    }

    @Test("lets a node publish, and other clients receive its messages")
    func speaking() throws {
        let topics = ["availability", "timers", "mode", "state", "health"].map { "timer/lectern/\($0)" }
        try viewer.wait(for: "everything") { messages in topics.allSatisfy { messages.map(\.topic).contains($0) } }
        #expect(!node.process.errors.contains { $0.contains("refuses") })
    }

    @Test("lets a node receive wrong messages on its own topics and correct them")
    func ownTopics() throws {
        try viewer.wait(for: "stopped", on: "timer/lectern/mode")
        // Only the node's own user may write there, such as a bridge with its password.
        try publish("timer/lectern/mode", "alarm", as: "lectern")
        try viewer.wait(for: "the correction") {
            $0.filter { $0.topic == "timer/lectern/mode" }.map(\.payload) == ["stopped", "alarm", "stopped"]
        }
        try publish("timer/lectern/availability", "offline", as: "lectern")
        try viewer.wait(for: "the correction") {
            $0.filter { $0.topic == "timer/lectern/availability" }.map(\.payload) == ["online", "offline", "online"]
        }
    }

    @Test("rejects clients without a password, and commands from a viewer")
    func viewing() throws {
        #expect(throws: TestFailure.self) {
            let nobody = MQTTProbe.User(
                name: "operator", password: TestSecrets.wrongPassword, ca: authority.certificate)
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "", as: nobody)
        }
        for topic in ["timer/lectern/command/start", "timer/lectern/command", "timer/all/command/start"] {
            try publish(topic, #"{"id":"viewer","command":"start"}"#, as: "viewer")
        }
        try publish("timer/lectern/mode", "alarm", as: "viewer")
        try publish("timer/lectern/command", #"{"id":"end","command":"state"}"#, as: "operator")
        #expect(try answered(until: "end") == ["end"])
        #expect(!viewer.messages.contains { $0.payload == "alarm" })
    }

    @Test("lets a remote start and stop, but not edit")
    func remote() throws {
        try publish("timer/all/command/start", #"{"id":"start"}"#, as: "remote")
        try publish("timer/lectern/command/edit", #"{"id":"edit","start":10}"#, as: "remote")
        try publish("timer/lectern/command", #"{"id":"hidden","command":"edit","start":10}"#, as: "remote")
        try publish("timer/lectern/command/timers", #"{"id":"timers"}"#, as: "remote")
        try publish("timer/lectern/command/stop", #"{"id":"stop"}"#, as: "remote")
        #expect(try answered(until: "stop") == ["start", "stop"])
        try publish("timer/lectern/command/edit", #"{"id":"operator","start":10}"#, as: "operator")
        #expect(try answered(until: "operator") == ["start", "stop", "operator"])
    }

    @Test("lets Home Assistant receive the announcements of nodes, send every command, and publish that it is online")
    func homeAssistant() throws {
        let seen = try MQTTProbe(broker, "homeassistant/#", as: Self.user("homeassistant", authority))
        try seen.wait(for: "the announcement") { messages in
            messages.contains { $0.topic == "homeassistant/device/lectern/config" && $0.payload.contains("cmps") }
        }
        try publish("timer/lectern/command/edit", #"{"id":"edit","start":10}"#, as: "homeassistant")
        #expect(try answered(until: "edit") == ["edit"])
        try publish("homeassistant/status", "online", as: "homeassistant")
        try seen.wait(for: "the announcement again") { messages in
            messages.count { $0.topic == "homeassistant/device/lectern/config" } == 2
        }
        for user in ["lobby", "viewer", "remote", "operator"] {
            for topic in ["device/lectern", "device/\(user)", "sensor/\(user)/mode"] {
                try publish("homeassistant/\(topic)/config", "{}", as: user)
            }
            try publish("homeassistant/status", "online", as: user)
        }
        // Home Assistant removes the announcement of a device that a user deletes.
        try publish("homeassistant/device/lectern/config", "", as: "homeassistant")
        try seen.wait(for: "the removal") { $0.last?.payload.isEmpty == true }
        let topics = ["device/lectern/config", "status", "device/lectern/config", "device/lectern/config"]
        #expect(seen.messages.map(\.topic) == topics.map { "homeassistant/\($0)" }, "no other user was allowed")
    }

    @Test("does not let a node publish for another node or command it, and reports the refusal")
    func impersonation() throws {
        try publish("timer/lectern/mode", "alarm", as: "lobby")
        try publish("timer/lectern/command/start", #"{"id":"lobby"}"#, as: "lobby")
        try publish("timer/lobby/mode", "countdown", as: "lobby")
        try viewer.wait(for: "countdown", on: "timer/lobby/mode")
        #expect(!viewer.messages.contains { $0.payload == "alarm" })
        try publish("timer/lectern/command/state", #"{"id":"end"}"#, as: "operator")
        #expect(try answered(until: "end") == ["end"])

        let impostor = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt:
              brokers: [mqtts://localhost:\(broker.port)]
              client_id: impostor
              username: lobby
              tls: {ca: \(authority.certificate)}
            """, environment: ["TIMER_NODE_MQTT_PASSWORD": TestSecrets.password(of: "lobby")])
        try impostor.process.waitForLine("the refusal") {
            $0.contains("refuses the publication on timer/lectern/mode: Not authorized (PUBACK 0x87)")
        }
    }
}
