import BrokerLink
import NodeTestSupport
import Testing

@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The mirrors in a configuration")
struct MirrorConfigurationTests {
    private static let topic =
        "a topic such as zigbee2mqtt/back_red/set, up to 256 bytes, without + or # or a leading $"
    private static let payload = "a payload of 1 to 4096 bytes"

    @Test("may have every key")
    func complete() throws {
        let loaded = try load(
            """
            mqtt: {brokers: [mqtt://a]}
            mirrors:
              - {output: red, topic: zigbee2mqtt/back_red/set, on: '{"state":"ON"}', off: '{"state":"OFF"}', blink: '{"effect":"blink"}'}
              - {output: green, topic: shellies/hall/relay/0/command, on: "on", off: "off", qos: 0, retain: true}
              - {show: mode, topic: wled/hall/api, map: {countdown: "G=255", stopped: "T=0"}}
              - {show: digits, topic: awtrix/custom/timer, value: '{"text":"{display}"}', every: 5s, qos: 0}
            """)
        #expect(loaded.warnings.isEmpty)
        #expect(
            try loaded.configuration.mirrors == [
                .init(
                    topic: "zigbee2mqtt/back_red/set",
                    .output("red", on: #"{"state":"ON"}"#, off: #"{"state":"OFF"}"#, blink: #"{"effect":"blink"}"#)),
                .init(
                    topic: "shellies/hall/relay/0/command", .output("green", on: "on", off: "off", blink: nil),
                    qos: .atMostOnce, retain: true),
                .init(
                    topic: "wled/hall/api",
                    .mode([.countdown: MirrorText("G=255"), .stopped: MirrorText("T=0")])),
                .init(
                    topic: "awtrix/custom/timer", .digits(MirrorText(#"{"text":"{display}"}"#), every: .seconds(5)),
                    qos: .atMostOnce),
            ])
    }

    @Test("are ignored with a warning without a broker")
    func withoutBroker() {
        #expect(
            findings("mirrors: [{output: red, topic: a, on: x, off: y}]") == [
                "node.yaml:1: warning: mirrors: ignored: there is no mqtt section"
            ])
    }

    @Test(
        "are reported if they have faults",
        arguments: [
            FaultyFragment("{topic: a}", "output: found neither, expected output or show"),
            FaultyFragment(
                "{output: red, show: mode, topic: a}", "output: found both output and show, expected output or show"),
            FaultyFragment(
                "{output: blue, topic: a, on: x, off: y}",
                #"output: found "blue", expected one of the outputs buzzer, green, red, yellow"#),
            FaultyFragment(
                "{show: lamps, topic: a, map: {stopped: x}}", #"show: found "lamps", expected mode or digits"#),
            FaultyFragment("{output: red, on: x, off: y}", "topic: found nothing, expected \(topic)"),
            FaultyFragment("{output: red, topic: a/+, on: x, off: y}", #"topic: found "a/+", expected \#(topic)"#),
            FaultyFragment(
                "{output: red, topic: timer/lectern/mode, on: x, off: y}",
                """
                topic: found "timer/lectern/mode", expected a topic of another device; those under timer/ are the \
                nodes'
                """),
            FaultyFragment(
                "{output: red, topic: a}", "on: found nothing, expected \(payload)",
                "off: found nothing, expected \(payload)"),
            FaultyFragment(
                "{output: red, topic: a, on: x, off: y, value: z, every: 5s, map: {stopped: x}}",
                "map: belongs to show: mode", "value: belongs to show: digits", "every: belongs to show: digits"),
            FaultyFragment(
                "{show: mode, topic: a, map: {alarm: x}, on: x}", "on: belongs to a mirror of an output"),
            FaultyFragment("{show: mode, topic: a}", "map: found nothing, expected keys such as stopped and countdown"),
            FaultyFragment("{show: digits, topic: a}", "value: found nothing, expected \(payload)"),
            FaultyFragment(
                "{show: digits, topic: a, value: '{time} left'}",
                """
                value: found {time}, expected {display}, {remaining}, {mode}, {color}, {speaker}, {timer} or {message}; \
                {{time}} for the text itself
                """),
            FaultyFragment(
                #"{show: digits, topic: a, value: '{"text":{display}'}"#,
                #"value: found "{\"text\":0", which begins as JSON: "#),
            FaultyFragment(
                "{output: red, topic: a, on: '{state: ON}', off: '[1]'}",
                #"on: found "{state: ON}", which begins as JSON: "#),
            FaultyFragment(
                "{output: red, topic: a, on: x, off: y, qos: 2}",
                #"qos: found "2", expected a whole number from 0 to 1"#),
            FaultyFragment(
                "{output: red, topic: a, on: '', off: y}", #"on: found "", expected \#(payload)"#),
        ])
    func faults(of fragment: FaultyFragment) {
        let found = findings("mqtt: {brokers: [mqtt://a]}\nmirrors:\n  - " + fragment.yaml)
        let expected = fragment.faults.map { "node.yaml:3: mirrors[1]." + $0 }
        #expect(found.count == expected.count && zip(found, expected).allSatisfy { $0.hasPrefix($1) }, "\(found)")
    }

    @Test("replace their placeholders, with escapes in JSON, and write a doubled brace once")
    func texts() throws {
        let values = { (name: MirrorText.Value) in name == .speaker ? #"Ada "A" \ B"# : "<\(name.rawValue)>" }
        #expect(
            try MirrorText("{speaker}: {display} {remaining} {mode} {color} {timer} {message}").filled(values)
                == #"Ada "A" \ B: <display> <remaining> <mode> <color> <timer> <message>"#)
        #expect(
            try MirrorText(#" {"a":{"b":"{speaker}"},"c":[{remaining}]}"#).filled { name in
                name == .remaining ? "42" : values(name)
            } == #" {"a":{"b":"Ada \"A\" \\ B"},"c":[42]}"#)
        let text = "{{display}} { {x {Y} {} {display} }"
        #expect(try MirrorText(text).filled(values) == "{display} { {x {Y} {} <display> }")
    }
}
