import Foundation
import Testing

@Suite("The password of a spawned node")
struct PasswordTests {
    private let broker: MosquittoBroker
    private let right = TestSecrets.password(of: "lectern")

    init() throws { broker = try MosquittoBroker(users: ["lectern"]) }

    private var yaml: String { "node: {id: lectern}\nmqtt: {brokers: [\(broker.url)], username: lectern" }

    @Test("can be corrected in its file without a restart, and is not shown anywhere")
    func corrected() throws {
        let node = try SpawnedNode(
            "\(yaml), password_file: mqtt.password}\nlog: {level: debug}",
            files: ["mqtt.password": "\(TestSecrets.wrongPassword)\n"])
        try node.process.waitForLine("the refusal") { $0.contains("refused the connection: Not authorized") }
        try node.write("\n", to: "mqtt.password")
        try node.process.waitForLine("the empty file", timeout: .seconds(120)) { $0.contains("no usable password") }
        try node.write("\(right)\n", to: "mqtt.password")
        try node.process.waitForLine("the connection", timeout: .seconds(120)) { $0.contains("connected to") }
        #expect(try node.process.terminate() == .exited(0))
        #expect(!(node.process.output + node.process.errors).contains { $0.contains(TestSecrets.mark) })
    }

    @Test("may come from the environment, or from systemd")
    func elsewhere() throws {
        let variable = try SpawnedNode(
            "\(yaml)}", environment: ["TIMER_NODE_MQTT_PASSWORD": right])
        try variable.process.waitForLine("the connection") { $0.contains("connected to") }
        #expect(try variable.process.terminate() == .exited(0))

        let credential = try SpawnedNode(
            "\(yaml)}", files: ["mqtt-password": right], environment: ["CREDENTIALS_DIRECTORY": "FOLDER"])
        try credential.process.waitForLine("the connection") { $0.contains("connected to") }
    }
}
