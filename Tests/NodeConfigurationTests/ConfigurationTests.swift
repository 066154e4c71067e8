import BrokerLink
import ConfigurationFiles
import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import LinuxSystem
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("A configuration")
struct ConfigurationTests {
    @Test("without any key has the defaults of its values")
    func defaults() throws {
        #expect(try load("{}").configuration == NodeConfiguration(node: .init(id: "lectern")))
        #expect(try load("node:\nlog:\n").configuration == NodeConfiguration(node: .init(id: "lectern")))
        let thresholds = try Thresholds(start: 300, warning: 60, final: 15)
        #expect(try load("{}").configuration.timers == .init(thresholds: thresholds))
        let configuration = try load(
            """
            mqtt: {brokers: [mqtt://broker]}
            gpio: {outputs: {red: {line: GPIO7}}}
            timers: {groups: [{timers: [{start: 10}]}]}
            storage: {}
            """
        ).configuration
        #expect(configuration.mqtt == .init(brokers: [Broker(host: "broker")], clientID: "timer-node-lectern"))
        #expect(configuration.mqtt?.prefix == "timer" && configuration.mqtt?.link.version == .v5)
        #expect(configuration.mqtt?.link.keepAlive == .seconds(15) && configuration.mqtt?.commandRate == 50)
        #expect(configuration.mqtt?.tickEvery == .seconds(1) && configuration.mqtt?.healthInterval == .seconds(60))
        #expect(configuration.gpio == .init(chip: .auto, outputs: ["red": .init(line: "GPIO7")]))
        #expect(configuration.timers == .init(thresholds: .zero.setting(start: 10)))
        #expect(configuration.storage == .init(directory: "/var/lib/timer-node"))
    }

    @Test("is read without keeping its file in memory")
    func leak() throws {
        final class File {
            let bytes = Array("gpio: {outputs: {red: {line: A}}, buttons: [{line: B, press: toggle}]}".utf8)
        }
        weak var read: File?
        do {
            let file = File()
            read = file
            _ = try NodeConfiguration.load(path: "file", environment: [:], hostName: "lectern") { _, _ in file.bytes }
        }
        #expect(read == nil)
    }

    @Test("may have every key")
    func complete() throws {
        let loaded = try load(
            """
            node: {id: lectern_2, name: "Lectern: left", groups: [hall-a, b]}
            mqtt:
              brokers: [mqtt://10.0.0.1, "mqtt://[fe80::1%eth0]:1884", mqtt://broker.example:65535]
              protocol: 3.1.1
              prefix: hall/timer
              client_id: stoplight 1
              keepalive: 1:30
              username: lectern
              command_rate: 0
              tick_every: 0
            gpio:
              chip: gpiochip0
              outputs:
                red: {line: GPIO22, active_low: true, safe: on}
                horn_2: {line: 4, active_low: no, bias: pull_up, drive: open_drain}
            signals:
              profile: toastmasters
              warning: {red: on, horn_2: chirp}
              alarm: {red: {blink: [1s, 0:02]}, horn_2: off}
              alarm_sound_for: 1:00
              grace: 30s
              overtime: {every: 45, pattern: triple}
              attention: {red: chirp}
              lead: {red: on}
              patterns: {chirp: [80ms, 40ms, 80ms]}
              words: {countdown: Los!, alarm: Schluß}
            timers:
              settings: {start_timer_immediately: off}
              groups:
                - {name: Talks, display: circular, alarm: soundVibrate, sound: chirp, transition: none, at_zero: alarm,
                   timers: [{name: Talk, start: "0:20:00", warning: 5m, final: 60s, event: Spring, location: Hall}]}
                - timers: [{start: 90}]
            storage: {directory: /tmp/x}
            log: {level: debug}
            """)
        #expect(loaded.warnings.isEmpty)

        let chirp = Pattern(milliseconds: 80, 40, 80)
        var signals = SignalTable(.toastmasters, patterns: ["chirp": chirp])
        signals.modes[.warning] = ["red": .on, "horn_2": .play(chirp)]
        signals.modes[.alarm] = ["red": .blink(Pattern(milliseconds: 1000, 2000)), "horn_2": .off]
        signals.alarmSoundFor = .seconds(60)
        (signals.words[.countdown], signals.words[.alarm]) = ("Los!", "Schluß")
        signals.grace = .seconds(30)
        signals.overtime = .init(every: .seconds(45), pattern: Pattern(milliseconds: 150, 150, 150, 150, 150))
        signals.attention = ["red": .play(chirp)]
        signals.lead = ["red": .on]
        var mqtt = NodeConfiguration.MQTT(
            brokers: [
                Broker(host: "10.0.0.1"), Broker(host: "fe80::1%eth0", port: 1884),
                Broker(host: "broker.example", port: 65_535),
            ], clientID: "stoplight 1")
        mqtt.link.version = .v311
        mqtt.prefix = "hall/timer"
        mqtt.link.keepAlive = .seconds(90)
        mqtt.link.credentials = Credentials(username: "lectern")
        mqtt.commandRate = 0
        mqtt.tickEvery = .zero
        let thresholds = try Thresholds(start: 1200, warning: 300, final: 60)
        let talk = TimerItem(
            name: "Talk", thresholds: thresholds, event: "Spring", location: "Hall")
        var talks = TimerGroup(name: "Talks", timers: [talk])
        talks.display = .circular
        talks.alarm = .soundVibrate
        talks.sound = "chirp"
        talks.transition = "none"
        talks.atZero = .alarm
        let second = TimerGroup(
            name: "Timers", timers: [TimerItem(name: "Timer", thresholds: .zero.setting(start: 90))])
        var horn = NodeConfiguration.Output(line: "4")
        horn.bias = .pullUp
        horn.drive = .openDrain
        var expected = NodeConfiguration(
            node: .init(id: "lectern_2", name: "Lectern: left", groups: ["hall-a", "b"]))
        (expected.mqtt, expected.signals) = (mqtt, signals)
        expected.gpio = .init(
            chip: .named("gpiochip0"),
            outputs: ["red": .init(line: "GPIO22", activeLow: true, safe: true), "horn_2": horn])
        expected.timers = try .init(groups: [talks, second], settings: .init(startTimerImmediately: false))
        expected.storage = .init(directory: "/tmp/x")
        expected.log.level = .debug
        #expect(loaded.configuration == expected)
    }

    @Test("may have patterns of up to 64 times", arguments: [(64, true), (65, false)])
    func longPattern(count: Int, isValid: Bool) {
        let times = Array(repeating: "10ms", count: count).joined(separator: ", ")
        #expect(findings("signals: {patterns: {chirp: [\(times)]}}").isEmpty == isValid)
    }

    @Test(
        "names a node after its host",
        arguments: [
            ("lectern", "lectern"), ("Lectern.example.org", "lectern"), ("_Hall 4_b", "hall-4_b"), ("", "timer-node"),
            ("all", "timer-node"), ("…", "timer-node"), ("Ü-x", "x"),
            (String(repeating: "a", count: 70), String(repeating: "a", count: 63)),
        ])
    func hostName(host: String, id: String) throws {
        #expect(
            try NodeConfiguration.load(yaml: Array("{}".utf8), file: "", hostName: host, readFile: File.read)
                .configuration.node.id == id)
    }

    @Test("without outputs is a simulated stoplight, with a warning if a chip is named")
    func simulated() throws {
        #expect(try load("gpio: {chip: simulated}").configuration.gpio == .init())
        #expect(try load("gpio: {outputs: {}}").configuration.gpio == .init())
        #expect(try load("gpio: {chip: gpiochip0}").configuration.gpio == .init())
        #expect(
            findings("gpio: {chip: gpiochip0}") == [
                "node.yaml:1: warning: gpio.chip: not used: there are no outputs, so the lamps are drawn in the terminal"
            ])
    }

    @Test("can also come from the environment, which takes precedence")
    func environment() throws {
        let environment = [
            "TIMER_NODE_MQTT_BROKERS": "mqtt://a, mqtt://b:2000", "TIMER_NODE_MQTT_USERNAME": "me",
            "TIMER_NODE_MQTT_PASSWORD": "secret", "TIMER_NODE_LOG_LEVEL": "error", "PATH": "/bin",
        ]
        let configuration = try load("log: {level: debug}", environment: environment).configuration
        #expect(configuration.mqtt?.link.brokers == [Broker(host: "a"), Broker(host: "b", port: 2000)])
        #expect(configuration.mqtt?.link.credentials == Credentials(username: "me", password: "secret"))
        #expect(configuration.log.level == .error)
    }

    @Test("takes the password from a file beside it, without the line end")
    func passwordFile() throws {
        try withTemporaryFolder { folder in
            let yaml = "mqtt: {brokers: [mqtt://a], username: me, password_file: mqtt.password}"
            try yaml.write(toFile: folder + "/node.yaml", atomically: false, encoding: .utf8)
            for text in ["se cret", "se cret\n", "se cret\r\n"] {
                try text.write(toFile: folder + "/mqtt.password", atomically: false, encoding: .utf8)
                let loaded = try NodeConfiguration.load(
                    path: folder + "/node.yaml", environment: [:], hostName: "", readFile: File.read)
                let path = folder + "/mqtt.password"
                let credentials = Credentials(username: "me", password: .file(path))
                #expect(loaded.configuration.mqtt?.link.credentials == credentials)
                #expect(try PasswordFile.read(path, by: File.read) == "se cret")
            }
            try "\n".write(toFile: folder + "/mqtt.password", atomically: false, encoding: .utf8)
            #expect(throws: ConfigurationError.self) {
                try NodeConfiguration.load(
                    path: folder + "/node.yaml", environment: [:], hostName: "", readFile: File.read)
            }
            let overridden = try NodeConfiguration.load(
                path: folder + "/node.yaml", environment: ["TIMER_NODE_MQTT_PASSWORD": "other"], hostName: "",
                readFile: File.read)
            #expect(overridden.configuration.mqtt?.link.credentials?.password == .text("other"))
        }
    }

    @Test("takes the password from systemd if the file and the environment have none")
    func credential() throws {
        try withTemporaryFolder { folder in
            let credential = folder + "/mqtt-password"
            let environment = ["CREDENTIALS_DIRECTORY": folder]
            let yaml = "mqtt: {brokers: [mqtt://a], username: me}"
            #expect(try load(yaml, environment: environment).configuration.mqtt?.link.credentials?.password == nil)
            try "secret\n".write(toFile: credential, atomically: false, encoding: .utf8)
            let loaded = try load(yaml, environment: environment)
            #expect(loaded.configuration.mqtt?.link.credentials?.password == .file(credential))
            let both = environment.merging(["TIMER_NODE_MQTT_PASSWORD": "other"]) { $1 }
            #expect(try load(yaml, environment: both).configuration.mqtt?.link.credentials?.password == .text("other"))
            try "".write(toFile: credential, atomically: false, encoding: .utf8)
            #expect(
                findings(yaml, environment: environment) == [
                    "CREDENTIALS_DIRECTORY: mqtt-password: found no password in \(credential), expected a "
                        + "password of 1 to 4096 bytes of UTF-8"
                ])
        }
    }

    @Test("finds the TLS files relative to its folder, and requires a certificate to have its key")
    func tls() throws {
        try withTemporaryFolder { folder in
            for name in ["ca.pem", "node.pem", "node.key"] {
                let text = name.hasSuffix("key") ? PEMFileTests.key : PEMFileTests.certificate
                try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            }
            let file = folder + "/node.yaml"
            func load(_ tls: String) throws -> TLSFiles? {
                try "mqtt: {brokers: [mqtts://a], tls: {\(tls)}}".write(
                    toFile: file, atomically: false, encoding: .utf8)
                return try NodeConfiguration.load(path: file, environment: [:], hostName: "", readFile: File.read)
                    .configuration.mqtt?.link.tls
            }
            #expect(try load("") == TLSFiles())
            let full = TLSFiles(ca: folder + "/ca.pem", certificate: folder + "/node.pem", key: folder + "/node.key")
            #expect(try load("ca: ca.pem, certificate: node.pem, key: node.key") == full)
            for faulty in ["ca: nowhere.pem", "certificate: node.pem", "key: node.key", "ca: []"] {
                #expect(throws: ConfigurationError.self) { try load(faulty) }
            }
        }
    }

    @Test("that cannot be read is not reported as a fault of its content")
    func unreadable() {
        #expect(throws: ConfigurationError.unreadable(FileError(path: "/nowhere/node.yaml", code: 2))) {
            try NodeConfiguration.load(path: "/nowhere/node.yaml", environment: [:], hostName: "", readFile: File.read)
        }
    }

    @Test("has a page with every key, generated from the declarations: timer-node configuration-reference")
    func reference() throws {
        let page = try String(contentsOfFile: repositoryFile("docs/configuration.md"), encoding: .utf8)
        #expect(page == NodeConfiguration.reference, "docs/configuration.md must be generated again")
    }
}
