import BrokerLink
import ConfigurationFiles
import FoundationEssentials
import NodeTestSupport
import Testing

@testable import LinuxSystem
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("A setting that can never work")
struct NeverWorksTests {
    private static let patterns = "(alarm, beep, chirp, double, long, triple)"
    private static let some = "signals: {patterns: {chirp: [80ms, 40ms, 80ms]}}\nmqtt: {brokers: [mqtt://a]}\n"

    @Test("is a chip that must be found by its lines, if they have no names")
    func offsets() {
        let fault = "gpio.chip: found auto with offsets only, expected a chip's path, name or label, or a line's name"
        #expect(findings("gpio:\n  outputs: {red: {line: 17}, green: {line: 4}}\n") == ["node.yaml:2: \(fault)"])
        #expect(findings("gpio:\n  chip: auto\n  outputs: {red: {line: 17}}\n") == ["node.yaml:2: \(fault)"])
        for gpio in [
            "outputs: {red: {line: 17}, green: {line: GPIO4}}", "chip: gpiochip0, outputs: {red: {line: 17}}",
            "chip: simulated, outputs: {red: {line: 17}}", "outputs: {}", "chip: auto",
        ] {
            #expect(!findings("gpio: {\(gpio)}").contains { $0.contains("offsets") }, "\(gpio)")
        }
    }

    @Test(
        "is reported for the command of a button or a remote",
        arguments: [
            (
                "beep chrip",
                #"found "chrip", expected the name of a pattern \#(patterns); did you mean chirp?"#
            ),
            ("beep chirp", nil), ("beep", nil), ("timers {}", #"field "groups" is missing"#),
            (
                #"timers {"groups":[{"sound":"chrip","timers":[{"start":5}]}]}"#,
                #"field groups[1].sound: found "chrip", expected alarm, beep, chirp, double, long, triple or none"#
            ),
            (#"timers {"groups":[{"sound":"chirp","timers":[{"start":5}]}]}"#, nil),
            ("set 90000", "found 90000 s, expected at most 86399"), ("set 86399", nil),
            ("add +90000", "found 90000 s, expected at most 86399"), ("add -90000", nil),
            (#"start {"duration":0}"#, "found a run of 0 s, which cannot start"),
            (#"start {"duration":5,"warning":5}"#, "warning 5 is outside 0…4 (below start 5)"),
            (#"start {"duration":5}"#, nil),
            (#"sync {"remaining":90000,"at":"2026-11-20T12:00:00Z"}"#, "found 90000 s, expected at most 86399"),
            ("start 1/1", nil), ("toggle", nil), (#"edit {"start":9}"#, nil),
        ] as [(String, String?)])
    func bound(command: String, fault: String?) {
        let quoted = "'\(command)'"
        let remote = findings(Self.some + "remotes:\n  - {topic: a, map: {x: \(quoted)}}")
        #expect(remote == (fault.map { ["node.yaml:4: remotes[1].map.x: \($0)"] } ?? []))
        let lines = "outputs: {red: {line: GPIO1}, buzzer: {line: GPIO2}}"
        let button = findings(Self.some + "gpio:\n  \(lines)\n  buttons: [{line: GPIO3, press: \(quoted)}]")
        #expect(button == (fault.map { ["node.yaml:5: gpio.buttons[1].press: \($0)"] } ?? []))
    }

    @Test("is a sound without a buzzer")
    func noBuzzer() {
        let yaml = "gpio:\n  outputs: {red: {line: GPIO1}}\n  buttons: [{line: GPIO3, press: beep}]"
        #expect(
            findings(yaml) == ["node.yaml:3: gpio.buttons[1].press: found beep without an output named buzzer"])
    }

    @Test(
        "is an edit of timers that are read-only",
        arguments: [#"edit {"start":5}"#, #"timers {"groups":[{"timers":[{"start":5}]}]}"#])
    func readOnly(command: String) {
        let yaml =
            "timers: {read_only: true}\nmqtt: {brokers: [mqtt://a]}\nremotes: [{topic: a, map: {x: '\(command)'}}]"
        let verb = command.prefix { $0 != " " }
        #expect(findings(yaml) == ["node.yaml:3: remotes[1].map.x: found \(verb), but timers.read_only is true"])
    }

    @Test(
        "does not include a timer that an edit may still add: that is a warning",
        arguments: ["start 2/1", "select Questions", #"edit {"timer":"2/1","start":5}"#])
    func selector(command: String) {
        let selector = command.hasPrefix("select") ? "Questions" : "2/1"
        let remote = "remotes: [{topic: a, map: {x: '\(command)'}}]"
        #expect(findings(Self.some + remote).isEmpty, "a file without timers causes no warning")
        #expect(
            findings("timers: {groups: [{timers: [{start: 5}]}]}\n" + Self.some + remote) == [
                #"node.yaml:4: warning: remotes[1].map.x: there is no timer "\#(selector)" in this file"#
            ])
        let timers = "timers: {groups: [{timers: [{start: 5}]}, {timers: [{name: Questions, start: 5}]}]}\n"
        #expect(findings(timers + Self.some + remote).isEmpty)
    }

    @Test("does not prevent switching off the lamps, unless the fault is in the lines")
    func lampsOff() throws {
        try withTemporaryFolder { folder in
            let yaml = "gpio: {outputs: {red: {line: GPIO1}}, buttons: [{line: GPIO3, press: beep chrip}]}"
            try yaml.write(toFile: folder + "/node.yaml", atomically: false, encoding: .utf8)
            #expect(throws: ConfigurationError.self) {
                try NodeConfiguration.load(
                    path: folder + "/node.yaml", environment: [:], hostName: "", readFile: File.read)
            }
            #expect(
                try NodeConfiguration.loadGPIO(path: folder + "/node.yaml", environment: [:], readFile: File.read)
                    .outputs.count == 1)
        }
    }

    @Test(
        "is a map value that no payload can have",
        arguments: [
            ("' x'", "", #"found " x", expected a value without leading or trailing white space"#),
            (#""x\t""#, "", #"found "x\t", expected a value without control characters"#),
            ("'x '", "", #"found "x ", expected a value without leading or trailing white space"#),
            (#""a\u0007""#, "path: b, ", #"found "a\u{07}", expected a value without control characters"#),
            (#""\n""#, "path: b, ", #"found "\n", expected a value without control characters"#),
        ])
    func mapKeys(key: String, path: String, fault: String) {
        let yaml = Self.some + "remotes:\n  - {topic: a, \(path)map: {\(key): stop, y: start}}"
        let findings = findings(yaml)
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("node.yaml:4: remotes[1].map.") == true)
        #expect(findings.first?.hasSuffix(fault) == true, "\(findings)")
    }

    @Test(
        "is not a value that a payload can have, such as an empty one, or white space within JSON",
        arguments: [
            ("''", ""), ("''", "path: b, "), ("' x '", "path: b, "), ("a b", ""), ("é", ""), ("1.5", "path: b, "),
        ])
    func mapKeysThatWork(key: String, path: String) {
        #expect(findings(Self.some + "remotes:\n  - {topic: a, \(path)map: {\(key): stop}}").isEmpty)
    }

    @Test(
        "is a broker's host that is neither a name nor an address",
        arguments: [
            "a..b", "-", "-a", "a-", "a.-b", ".", ".a", "a..", "256.1.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.04", "1",
            "a.1", "_", "a_.b_-", String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "a",
            "[::1::]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[:1]", "[1:]", "[:::]", "[12345::]", "[::g]",
            "[::1.2.3]",
            "[::1.2.3.256]", "[1.2.3.4]", "[fe80::1%]", "[fe80::1%a%b]", "[::1:2:3:4:5:6:7:8]", "[%eth0]",
            "[::1%eth 0]",
        ])
    func noHost(host: String) {
        #expect(Broker(url: "mqtt://\(host)") == nil)
        #expect(Broker(url: "mqtts://\(host):8883") == nil)
    }

    @Test(
        "is not a broker's host that is a valid name or address",
        arguments: [
            "a", "a.b", "A-1.example", "a.", "my_broker", "1a", "a.b1", "3com.example", "1.2.3.4", "0.0.0.0",
            "255.255.255.255",
            "xn--bcher-kva.example", String(repeating: "a", count: 63), "[::]", "[::1]", "[1::]", "[fe80::1%eth0]",
            "[1:2:3:4:5:6:7:8]", "[::2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7::]", "[::ffff:1.2.3.4]", "[ABCD::ef01]",
            "[1:2:3:4:5:6:1.2.3.4]", "[fe80::1%br-lan.1]",
        ])
    func host(host: String) throws {
        let broker = try #require(Broker(url: "mqtt://\(host):1884"))
        #expect(broker.port == 1884)
        #expect("[\(broker.host)]" == host || broker.host == host)
    }

    @Test(
        "is not a relative storage folder, which starts at the configuration's folder like other paths")
    func storage() throws {
        let storage = { (file: String, directory: String) throws(ConfigurationError) in
            try NodeConfiguration.load(
                yaml: Array("storage: {directory: \(directory)}".utf8), file: file, readFile: File.read
            )
            .configuration.storage?.directory
        }
        #expect(try storage("/etc/timer-node/timer-node.yaml", "state") == "/etc/timer-node/state")
        #expect(try storage("conf/node.yaml", "../state") == "conf/../state")
        #expect(try storage("node.yaml", "state") == "state")
        #expect(try storage("/etc/timer-node/timer-node.yaml", "/var/lib/x") == "/var/lib/x")
    }
}
