import BrokerLink
import ConfigurationFiles
import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import LinuxSystem
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("A shipped configuration")
struct ShippedConfigurationTests {
    @Test("the shipped file is valid, without a warning, and drives the lamps of a Raspberry Pi")
    func shipped() throws {
        let loaded = try NodeConfiguration.load(
            path: repositoryFile("config/timer-node.yaml"), environment: [:], hostName: "lectern", readFile: File.read)
        #expect(loaded.warnings.isEmpty)
        #expect(loaded.configuration.node.id == "lectern")
        #expect(loaded.configuration.mqtt?.link.brokers == [Broker(host: "127.0.0.1")])
        #expect(loaded.configuration.gpio.chip == .auto)
        #expect(
            loaded.configuration.gpio.outputs.mapValues(\.line) == [
                "green": "GPIO17", "yellow": "GPIO27", "red": "GPIO22", "buzzer": "GPIO18",
            ])
        #expect(loaded.configuration.timers.model.groups.map(\.timers.count) == [2])
    }

    @Test("the package's file is valid, without a warning, and drives no line")
    func package() throws {
        let loaded = try NodeConfiguration.load(
            path: repositoryFile("config/package.yaml"), environment: [:], hostName: "lectern", readFile: File.read)
        #expect(loaded.warnings.isEmpty)
        #expect(loaded.configuration.node.id == "lectern")
        #expect(loaded.configuration.mqtt?.link.brokers == [Broker(host: "127.0.0.1")])
        #expect(loaded.configuration.gpio.chip == .simulated)
        #expect(loaded.configuration.gpio.buttons.isEmpty)
        #expect(loaded.configuration.storage?.directory == "/var/lib/timer-node")
    }

    @Test("the file for Toastmasters is valid, and shows the cards when they are due")
    func toastmasters() throws {
        let loaded = try NodeConfiguration.load(
            path: repositoryFile("config/toastmasters.yaml"), environment: [:], hostName: "lectern", readFile: File.read
        )
        #expect(loaded.warnings.isEmpty)
        var node = try Scenario { configuration in
            configuration.gpio = loaded.configuration.gpio
            configuration.signals = loaded.configuration.signals
            configuration.timers = loaded.configuration.timers
        }
        node.send("start", "Speech")
        let changes = [(300, "dark", "green"), (60, "green", "yellow"), (60, "yellow", "red"), (30, "red", "red")]
        for (seconds, before, lamp) in changes {
            node.wait(.seconds(seconds) - .milliseconds(1))
            #expect(node.lit == before)
            node.wait(.milliseconds(1))
            #expect(node.lit == lamp)
        }
        node.wait(.milliseconds(425))
        #expect(node.lit == "dark", "30 s of grace are over, and red flashes")
        node.send("next")
        #expect(node.last("mode") == "stopped")
    }

    @Test("an alarm set to none is silent, and one that is not set is the profile's")
    func silentAlarm() throws {
        let groups = try load(
            """
            timers:
              groups:
                - {alarm: none, timers: [{start: 9}]}
                - {timers: [{start: 9}]}
                - {alarm: sound, sound: none, timers: [{start: 9}]}
            """
        ).configuration.timers.model.groups
        #expect(groups.map(\.sound) == ["none", nil, "none"])
        #expect(groups.map(\.alarm) == [.none, .none, .sound])
    }

    @Test("every commented-out key of the shipped file is valid")
    func shippedInFull() throws {
        let text = try String(contentsOfFile: repositoryFile("config/timer-node.yaml"), encoding: .utf8)
        let lines = text.split(separator: "\n").map { line in
            // Indented comments are keys.
            let key = line.drop { $0 == " " }
            let isKey = key.hasPrefix("# ") && key != line
            return isKey ? String(repeating: " ", count: line.count - key.count) + key.dropFirst(2) : String(line)
        }
        let full = lines.joined(separator: "\n")
        let loaded = try NodeConfiguration.load(
            yaml: Array(full.utf8), file: "node.yaml", hostName: "lectern",
            readFile: { (_, _) throws(FileError) in Array((PEMFileTests.certificate + PEMFileTests.key).utf8) })
        let configuration = loaded.configuration
        #expect(loaded.warnings.map(\.key) == ["mqtt.tls"], "no broker in the file is mqtts://")
        #expect(configuration.node == .init(id: "lectern", name: "Lectern stoplight"))
        #expect(configuration.mqtt?.link.clientID == "timer-node-ID")
        let credentials = Credentials(username: "lectern", password: .file("mqtt.password"))
        #expect(configuration.mqtt?.link.credentials == credentials)
        #expect(configuration.mqtt?.link.tls == TLSFiles(ca: "ca.pem", certificate: "lectern.pem", key: "lectern.key"))
        #expect(configuration.gpio.buttons.map(\.line) == ["GPIO23"])
        #expect(configuration.remotes.map(\.topic.description) == ["zigbee2mqtt/desk_button"])
        #expect(configuration.timers.model.selectedTimer.location == "Hall A")
        #expect(configuration.agenda?.zone == "Europe/Berlin")
        #expect(configuration.agenda?.meetings.map(\.zone) == ["America/New_York"])
    }
}
