import Foundation
import Testing

/// All process output is checked for the tests' passwords as it is read. These tests give a process passwords that it
/// could leak.
@Suite("A password in a broker's URL")
struct ConfigurationSecretTests {
    private static let url = "mqtt://lectern:\(TestSecrets.password(of: "lectern"))@127.0.0.1:1"
    private static let yaml = "node: {id: lectern}\nmqtt: {brokers: ['\(url)']}\n"

    /// Runs the program with a separate configuration file until it exits.
    private func run(
        _ command: String, _ yaml: String, environment: [String: String] = [:]
    ) throws -> (status: ChildProcess.ExitStatus, text: String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString).yaml")
        try yaml.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let arguments = command == "run" ? ["run", "--config", file.path] : [command, file.path]
        let process = try ChildProcess(SpawnedNode.program, arguments, environment: environment)
        let status = try process.waitForExit()
        return (status, (process.output + process.errors).joined(separator: "\n"))
    }

    @Test("is rejected without being shown; the message names username and password_file", arguments: ["check", "run"])
    func refused(command: String) throws {
        for (yaml, environment) in [
            (Self.yaml, [:]), ("node: {id: lectern}\n", ["TIMER_NODE_MQTT_BROKERS": Self.url]),
            (Self.yaml.replacing("[", with: "").replacing("]", with: ""), [:]),
        ] {
            let (status, text) = try run(command, yaml, environment: environment)
            #expect(status == .exited(78))
            #expect(text.contains("username and password_file"), "\(text)")
            #expect(!text.contains(TestSecrets.mark))
        }
    }

    @Test("is rejected on reload, and the old configuration stays in effect")
    func reloaded() throws {
        let node = try SpawnedNode("node: {id: lectern}\nlog: {level: debug}")
        try node.reload(Self.yaml)
        try node.process.waitForLine("the error") { $0.contains("username and password_file") }
        try node.process.waitForLine("the refusal") { $0.contains("the old one stays") }
        #expect(try node.process.terminate() == .exited(0))
        #expect(!(node.process.output + node.process.errors).contains { $0.contains(TestSecrets.mark) })
    }

    @Test("or in a key that expects a file is not shown either", arguments: ["password_file", "tls.key"])
    func file(key: String) throws {
        let secret = TestSecrets.wrongPassword
        let value = key == "tls.key" ? "tls: {certificate: c.pem, key: \(secret)}" : "password_file: \(secret)"
        let yaml = "mqtt: {brokers: [mqtt://127.0.0.1:1], username: lectern, \(value)}"
        let (status, text) = try run("check", yaml)
        #expect(status == .exited(78))
        #expect(text.contains("mqtt.\(key): "))
        #expect(!text.contains(TestSecrets.mark))
    }
}
