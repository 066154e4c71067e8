import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

/// Errors are sent to the client and written to the log, and no client must be able to flood either.
@Suite("A value in an error")
struct LongInputTests {
    private static let long = String(repeating: "x", count: 2000)
    /// One letter that consists of two thousand scalars.
    private static let tall = "x" + String(repeating: "\u{301}", count: 2000)
    /// A string that grows when it is escaped.
    private static let escaped = String(repeating: "\u{200B}\"", count: 500)

    private static let payloads: [(String, String)] = [
        ("dance-FOUND", ""), ("dance-FOUND", "{}"), ("", #"{"command":"FOUND"}"#), ("pause", #"{"command":"FOUND"}"#),
        ("pause", "FOUND"), ("pause", #"{"FOUND":1}"#), ("pause", #"{"FOUND":1,"FOUND":1}"#),
        ("pause", #"{"id":"FOUND"}"#),
        ("pause", #"{"FOUND":{"FOUND":[{"FOUND":{"a":1,"a":2}}]}}"#), ("pause", "[\"FOUND\""), ("pause", "{FOUND"),
        ("start", "FOUND"), ("start", #"{"timer":"FOUND"}"#),
        ("select", "FOUND"), ("select", "1/1 FOUND"), ("select", #"{"timer":"1/1 FOUND"}"#), ("set", "FOUND"),
        ("set", #"{"remaining":"FOUND"}"#), ("add", "+FOUND"), ("add", #"{"seconds":"FOUND"}"#),
        ("sync", #"{"remaining":1,"at":"FOUND"}"#), ("beep", "FOUND"), ("beep", #"{"sound":"FOUND"}"#),
        ("lamp_test", #"{"force":"FOUND"}"#), ("edit", #"{"name":"FOUND"}"#), ("edit", #"{"timer":"FOUND","start":1}"#),
        ("edit", #"{"start":"FOUND"}"#), ("timers", #"{"FOUND":1}"#), ("timers", #"{"groups":"FOUND"}"#),
        ("timers", #"{"groups":[{"timers":[{"start":"FOUND"}]}]}"#),
        ("timers", #"{"groups":[{"FOUND":1,"timers":[{"start":1}]}]}"#),
        ("timers", #"{"groups":[{"sound":"FOUND","timers":[{"start":1}]}]}"#),
        ("timers", #"{"groups":[{"alarm":"FOUND","timers":[{"start":1}]}]}"#),
        ("timers", #"{"groups":[{"timers":[{"id":"FOUND","start":1}]}]}"#),
        ("timers", #"{"groups":[{"timers":[{"start":1}]}],"selected":"FOUND"}"#),
    ]

    @Test(
        "is repeated with at most 80 characters, in the response and in the log",
        arguments: payloads, [long, tall, escaped])
    func commands(command: (verb: String, payload: String), found: String) throws {
        var node = try Scenario()
        let quoted = JSON.string(found).text.dropFirst().dropLast()
        let payload = command.payload.replacing("FOUND", with: command.payload.hasPrefix("{") ? String(quoted) : found)
        let topic = ["timer/lectern/command", command.verb.replacing("FOUND", with: found)].filter { !$0.isEmpty }
        let response = node.send(topic: topic.joined(separator: "/"), Array(payload.utf8))
        #expect(response?["status"] == "error")
        let letters = Set(found.unicodeScalars).filter { !$0.isASCII || $0 == "x" }
        for text in [response?.text ?? "", node.logs.last ?? ""] {
            #expect(text.unicodeScalars.count { letters.contains($0) } <= 90, "\(text)")
            #expect(text.unicodeScalars.count < 600, "\(text)")
        }
    }

    @Test("is repeated with at most 80 characters in an error in the configuration", arguments: [long, tall, escaped])
    func configuration(found: String) {
        let quoted = JSON.string(found).text
        for yaml in [
            "FOUND: 1", "node: {id: FOUND}", "node: {FOUND: 1}", "node: {groups: [FOUND]}", "log: {level: FOUND}",
            "mqtt: {brokers: [FOUND]}", "mqtt: {brokers: FOUND}", "mqtt: {brokers: [mqtt://a], tls: {ca: FOUND}}",
            "mqtt: {brokers: [mqtt://a], username: a, password_file: FOUND}", "gpio: {outputs: {FOUND: {line: a}}}",
            "gpio: {outputs: {FOUND: {line: a}}}\nsignals: {alarm: {red: on}}", "gpio: {chip: FOUND}",
            "signals: {patterns: {FOUND: [1s]}, alarm: {red: none}}", "signals: {alarm: {red: FOUND}}",
            "mqtt: {brokers: [mqtt://a]}\nremotes: [{topic: FOUND, map: {a: stop}}]",
            "mqtt: {brokers: [mqtt://a]}\nremotes: [{topic: a, map: {FOUND: explode}}]",
            "mqtt: {brokers: [mqtt://a]}\nremotes: [{topic: a, map: {a: FOUND}}]",
            "mqtt: {brokers: [mqtt://a]}\nremotes: [{topic: a, map: {a: beep FOUND}}]",
            "timers: {}\nmqtt: {brokers: [mqtt://a]}\nremotes: [{topic: a, map: {a: start FOUND}}]",
        ] {
            let findings = findings(yaml.replacing("FOUND", with: quoted))
            #expect(!findings.isEmpty, "\(yaml)")
            for finding in findings { #expect(finding.unicodeScalars.count < 500, "\(yaml): \(finding)") }
        }
    }
}
