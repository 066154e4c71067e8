import ConfigurationFiles
import FoundationEssentials
import NodeTestSupport
import Testing

@testable import NodeConfiguration
@testable import TimerProtocol

/// Secrets that a key contains by mistake. `check` and the log, at the start and on reload, print exactly these
/// findings.
@Suite("A secret in a configuration")
struct SecretTests {
    private static let userInfo =
        "found a user name or a password in a URL instead of under username and password_file, expected"

    @Test(
        "in a broker's URL is refused without being shown, and the right keys are named",
        arguments: [
            "mqtt://lectern:hunter2@broker.example", "mqtts://lectern:hunter2@broker.example:8883",
            "mqtt://:hunter2@broker.example", "mqtt://hunter2@broker.example", "lectern:hunter2@broker.example",
            "http://lectern:hunter2@broker.example", "mqtt://lectern:hun@ter2@[::1]:1883", "mqtt:/lectern:hunter2@a",
        ])
    func brokerURL(url: String) {
        let quoted = "'\(url)'"
        let element = "mqtt.brokers[2]: \(Self.userInfo) \(FaultyFragment.url)"
        #expect(findings("mqtt:\n  brokers: [mqtt://a, \(quoted)]") == ["node.yaml:2: \(element)"])
        #expect(
            findings("mqtt: {}", environment: ["TIMER_NODE_MQTT_BROKERS": "mqtt://a, \(url)"])
                == ["TIMER_NODE_MQTT_BROKERS: \(element)"])
        let list = "mqtt.brokers: \(Self.userInfo) a list of 1 to 16 URLs, each \(FaultyFragment.url)"
        #expect(findings("mqtt:\n  brokers: \(quoted)") == ["node.yaml:2: \(list)"])
    }

    @Test(
        "is never shown, whatever its key is and however the key is written",
        arguments: [
            "mqtt: hunter2", "mqtt: password hunter2", "mqtt: [hunter2]", "mqtt: mqtt://me:hunter2@a", "hunter2",
            "mqtt://me:hunter2@a: b", "mqtt: {mqtt://me:hunter2@a: b}", "mqtt: {password=hunter2}",
            "mqtt: {password:hunter2: }", "mqtt: {'password hunter2': x}", "password:hunter2: x",
            "mqtt: {passwort=hunter2: 1, passwort=hunter2: 2}", "mqtt: {password: hunter2}",
            "mqtt: {password: [hunter2]}", "mqtt: {password: {hunter2: hunter2}}",
            "mqtt: {password: hunter2, password: hunter2}", "mqtt: {username: me, password_file: hunter2}",
            "mqtt: {username: me, password_file: sub/hunter2}", "mqtt: {username: me, password_file: /hunter2}",
            "mqtt: {username: me, password_file: [hunter2]}", "mqtt: {username: me, password_file: {hunter2: x}}",
            "mqtt: {username: me, password_file: \"hunter2\\nhunter2\"}",
            "mqtt: {username: me, password_file: /dev/null/hunter2}", "mqtt: {tls: hunter2}", "mqtt: {tls: [hunter2]}",
            "mqtt: {tls: {key: hunter2}}", "mqtt: {tls: {key: [hunter2]}}", "mqtt: {tls: {key=hunter2: x}}",
            "mqtt: {tls: {key: \"-----BEGIN PRIVATE KEY-----\\nhunter2\\n\"}}",
            "mqtt: {tls: {ca: \"-----BEGIN PRIVATE KEY-----\\nhunter2\\n\"}}",
            "mqtt: {tls: {certificate: \"-----BEGIN PRIVATE KEY-----\\nhunter2\\n\"}}",
            "mqtt: {brokers: [mqtt://me:hunter2]}", "mqtt: {brokers: [mqtt://a/?password=hunter2]}",
            "mqtt: {brokers: [mqtt://a hunter2]}", "mqtt: {brokers: {mqtt://me:hunter2@a: x}}",
            "mqtt: {client_id: \"mqtt://me:hunter2@a\\t\"}", "node: {name: \"mqtt://me:hunter2@a\\t\"}",
        ])
    func anywhere(yaml: String) {
        let variables = [
            "TIMER_NODE_MQTT_PASSWORT": "hunter2", "TIMER_NODE_MQTT": "hunter2", "TIMER_NODE_MQTT_TLS_KEY": "hunter2",
            "TIMER_NODE_MQTT_PASSWORD_FILE": "hunter2", "TIMER_NODE_MQTT_BROKERS": "mqtt://me:hunter2@a",
            "TIMER_NODE_MQTT_TLS": "hunter2", "TIMER_NODE_MQTT_PASSWORD": "hunter2",
        ]
        for environment in [[:], variables] {
            let findings = findings(yaml, environment: environment)
            #expect(!findings.isEmpty)
            #expect(!findings.contains { $0.contains("hunter2") }, "\(findings)")
        }
    }

    @Test("is not shown if a checked file contains it", arguments: ["ca", "certificate", "key"])
    func content(key: String) throws {
        let yaml = "mqtt: {brokers: [mqtts://a], tls: {\(key): file.pem}}"
        for content in ["hunter2", "-----BEGIN PRIVATE KEY-----\nhunter2\n", "-----BEGIN hunter2-----"] {
            let error = #expect(throws: ConfigurationError.self) {
                try NodeConfiguration.load(
                    yaml: Array(yaml.utf8), file: "node.yaml", readFile: { (_, _) in Array(content.utf8) })
            }
            #expect(error?.description.contains("hunter2") == false)
        }
    }
}
