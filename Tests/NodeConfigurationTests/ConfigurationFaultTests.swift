import NodeTestSupport
import Testing
import TimerEngine

@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("A fault in a configuration")
struct ConfigurationFaultTests {
    @Test("names the line, the key, the value found and the expected form", arguments: FaultyFragment.all)
    func text(of fragment: FaultyFragment) {
        #expect(findings(fragment.yaml) == fragment.faults)
    }

    @Test("is reported with all other faults, in the order of the lines")
    func severalAtOnce() {
        let yaml = """
            log: {levle: info}
            gpio:
              outputs:
                red: {line: LINE1, safe: 1}
                red: {line: LINE2}
            mqtt:
              keepalive: 1
              brokers: [http://a]
            timers:
              groups:
                - timers: [{start: 10, final: 1}]
            """
        #expect(
            findings(yaml, environment: ["TIMER_NODE_NODE_IDD": "a", "TIMER_NODE_NODE_ID": "A"]) == [
                "node.yaml:1: log.levle: unknown; did you mean level?",
                #"node.yaml:4: gpio.outputs.red.safe: found "1", expected \#(FaultyFragment.bool)"#,
                "node.yaml:5: gpio.outputs.red: found a second time; it is already on line 4",
                #"node.yaml:7: mqtt.keepalive: found "1", expected \#(FaultyFragment.keepAlive)"#,
                #"node.yaml:8: mqtt.brokers[1]: found "http://a", expected \#(FaultyFragment.url)"#,
                "node.yaml:11: warning: timers.groups[1].timers[1].final: found 1, which counts as off; "
                    + "write 0 for none, or 2 or more",
                "TIMER_NODE_NODE_IDD: unknown; did you mean TIMER_NODE_NODE_ID?",
                #"TIMER_NODE_NODE_ID: node.id: found "A", expected \#(FaultyFragment.identifier)"#,
            ])
    }

    @Test("may be a warning, which does not prevent the use of the configuration")
    func warning() throws {
        let loaded = try load("timers: {groups: [{timers: [{start: 10, final: 1}]}]}")
        #expect(loaded.warnings.map(\.severity) == [.warning])
        #expect(loaded.configuration.timers.model.selectedTimer.thresholds.final == 1)
    }

    @Test("is TLS settings that no broker uses", arguments: [("mqtt", 1), ("mqtts", 0)])
    func tlsUnused(scheme: String, warnings: Int) throws {
        let loaded = try load("mqtt: {brokers: [\(scheme)://a], tls: {}}")
        let warning = "node.yaml:1: warning: mqtt.tls: ignored: no broker URL uses mqtts://"
        #expect(loaded.warnings.map(\.description) == Array(repeating: warning, count: warnings))
    }

    @Test(
        "is a URL for which Home Assistant would reject the whole node",
        arguments: [
            ("http://lectern.local:8080/", true), ("https://a/b?c#d", true), ("http://10.0.0.7:65535", true),
            ("http://[::1]/", false), ("http://a:٣/", false), ("http://ö.de/", false), ("http://a..b", false),
            ("http://a:0", false),
            ("http://a:0x", false), ("http://a:65536", false), ("http://a:", false), ("http://", false),
            ("http:///a", false), ("ftp://a", false), ("lectern.local", false), ("http://a b", false),
            ("http://user:secret@a", false),
            ("http://\(String(repeating: "a", count: 63)).local", true),
            ("http://\(String(repeating: "a", count: 64)).local", false),
        ])
    func webURL(url: String, isOne: Bool) throws {
        let file = "node: {id: lectern, web_url: '\(url)'}"
        if isOne {
            #expect(try load(file).configuration.node.webURL == url)
        } else {
            let findings = findings(file)
            #expect(findings.count == 1)
            #expect(findings[0].hasPrefix("node.yaml:1: node.web_url: found "))
            #expect(!findings[0].contains("secret"))
        }
    }

    @Test("is a password without a user name, in the file and in the environment")
    func passwordWithoutUser() {
        let expected = "mqtt.username: found nothing, expected the user name that the password belongs to"
        #expect(
            findings("mqtt:\n  brokers: [mqtt://a]\n", environment: ["TIMER_NODE_MQTT_PASSWORD": "x"])
                == ["node.yaml:2: \(expected)"])
    }

    @Test("never shows a password")
    func secret() {
        let environment = ["TIMER_NODE_MQTT_PASSWORD": "hunter2", "TIMER_NODE_MQTT_PASSWORT": "hunter2"]
        let all =
            findings("mqtt: {password: hunter2}", environment: environment)
            + findings("mqtt: {password: hunter2}") + findings("mqtt: {password: [hunter2]}")
        #expect(all.count >= 6)
        #expect(!all.contains { $0.contains("hunter2") })
    }
}
