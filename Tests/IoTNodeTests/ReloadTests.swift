import BrokerLink
import FoundationEssentials
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("A configuration that is read again")
struct ReloadTests {
    /// A node whose timer (6 s, warning at 4 s, final at 2 s) has been running for 1.5 s.
    private func running(configure: (inout NodeConfiguration) -> Void = { _ in }) throws -> Scenario {
        var node = try Scenario(configure: configure)
        node.send("start")
        node.wait(.milliseconds(1500))
        return node
    }

    private func reload(_ node: inout Scenario, _ change: (inout NodeConfiguration) -> Void) {
        var configuration = node.core.configuration
        change(&configuration)
        node.reload(.success(.init(configuration)))
    }

    /// Returns the mode changes after an instant, with their times.
    private func modes(_ node: Scenario) -> [String] {
        node.story.filter { $0.contains(" mode ") }
    }

    @Test("is requested with a signal, which has no other effect")
    func asks() throws {
        var node = try running()
        let diary = node.diary.count
        node.happens(.reloadRequested)
        #expect(node.reloads == 1)
        #expect(node.diary.count == diary)
    }

    @Test("gives the node another name, which its health shows at once")
    func name() throws {
        var node = try running { $0.mqtt?.healthInterval = .seconds(60) }
        reload(&node) { $0.node.name = "Stage" }
        node.wait(.milliseconds(1))
        let health = try HealthMessage(
            try #require(node.publications.last { $0.topic == "timer/lectern/health" }).payload)
        #expect(health.name == "Stage")
    }

    @Test("gives the node another name while it has no connection, and waits for one")
    func nameWithoutConnection() throws {
        var node = try running { $0.mqtt?.healthInterval = .seconds(60) }
        node.lose()
        var configuration = node.core.configuration
        configuration.node.name = "Stage"
        var core = node.core
        let now = node.now
        _ = core.deferredEffects(of: core.reconfigure(configuration, at: now))
        #expect(try #require(core.nextInstant) > now.instant)
    }

    @Test("without a change has no effect")
    func same() throws {
        var node = try running()
        let diary = node.diary.count
        reload(&node) { _ in }
        #expect(node.diary.count == diary)
        #expect(node.replaced.isEmpty)
        #expect(node.logs.last == "configuration reloaded; nothing changed")
    }

    @Test("with errors is refused as a whole: each error is logged, and the old configuration stays in effect")
    func faulty() throws {
        var node = try running()
        let (diary, configuration) = (node.diary.count, node.core.configuration)
        let faults = ["a", "b"].map {
            ConfigurationFault(severity: .fault, file: "f", origin: .line(1), key: $0, problem: .other("wrong"))
        }
        node.reload(.failure(.faulty(faults)))
        node.reload(.failure(.unreadable(FileError(path: "f", kind: .missing, reason: "No such file or directory"))))
        #expect(
            node.logs.suffix(5) == [
                "f:1: a: wrong", "f:1: b: wrong", "the new configuration is not used; the old one stays in effect",
                "cannot read f: No such file or directory",
                "the new configuration is not used; the old one stays in effect",
            ])
        #expect(node.diary.count == diary)
        #expect(node.core.configuration == configuration)
    }

    @Test("with other lines makes the node acquire them and show the current mode while the countdown continues")
    func lines() throws {
        var (node, untouched) = (try running(), try running())
        reload(&node) { $0.gpio.outputs["horn"] = .init(line: "HORN") }
        #expect(node.replaced == [.lines])
        #expect(node.lit == "green")
        #expect(node.levels?["horn"] == false)
        node.wait(.seconds(5))
        untouched.wait(.seconds(5))
        #expect(modes(node) == modes(untouched))
        #expect(node.lit == untouched.lit)
    }

    @Test("with other signals changes how the mode is shown at once")
    func signals() throws {
        var node = try running()
        reload(&node) { $0.signals.modes[.countdown] = ["yellow": .on] }
        #expect(node.replaced.isEmpty)
        #expect(node.lit == "yellow")
        node.wait(.seconds(1))
        #expect(node.last("mode") == "warning")
    }

    @Test("with another name takes the node offline on the old topics, and online on the new ones")
    func identity() throws {
        var (node, untouched) = (try running(), try running())
        let attempts = node.attempts.count
        reload(&node) { $0.node.id = "stage" }
        #expect(node.last("availability") == "offline")
        #expect(node.attempts.count == attempts + 1)
        #expect(node.attempts.last?.will?.topic == "timer/stage/availability")
        node.accept()
        #expect(node.subscriptions.contains { $0.filter.contains("timer/stage/") })
        #expect(node.publications.contains { $0.topic == "timer/stage/mode" && $0.text == "countdown" })
        node.wait(.seconds(5))
        untouched.wait(.seconds(5))
        #expect(node.core.timer.player.countdown == untouched.core.timer.player.countdown)
    }

    @Test("does not delay the lamps if the old broker hangs")
    func frozenBroker() throws {
        var node = try running()
        node.wait(.milliseconds(499))
        node.isBrokerFrozen = true
        reload(&node) { $0.mqtt?.link.brokers = [Broker(host: "other.test")] }
        node.isBrokerFrozen = false
        node.wait(.seconds(1))
        node.accept()
        let health = try JSON(parsing: Array(try #require(node.last("health")).utf8))
        #expect(health["late_ticks"] == 0)
        #expect(health["max_tick_lateness_ms"] == 19)
    }

    @Test("can remove the brokers and add them again")
    func brokers() throws {
        var node = try running()
        let mqtt = node.core.configuration.mqtt
        reload(&node) { $0.mqtt = nil }
        #expect(!node.isConnected)
        node.wait(.seconds(1))
        #expect(node.lit == "yellow")
        reload(&node) { $0.mqtt = mqtt }
        node.accept()
        #expect(node.last("mode") == "warning")
    }

    @Test("with another remote makes the node subscribe to its topic")
    func remotes() throws {
        var node = try running()
        let remote = NodeConfiguration.Remote(
            topic: try TopicFilter("desk"), path: nil, conditions: [], ignoreRepeat: .zero, commands: [:])
        reload(&node) { $0.remotes = [remote] }
        node.accept()
        #expect(node.subscriptions.contains { $0.filter == "desk" })
    }

    @Test("with other times for the running timer lets the timer continue with them, and edits are set aside")
    func timers() throws {
        var node = try running { $0.storage = .init(directory: "/nowhere") }
        node.send("edit", #"{"name":"Edited"}"#)
        let thresholds = try Thresholds(start: 20, warning: 10, final: 5)
        reload(&node) { $0.timers = .init(name: "Longer", thresholds: thresholds) }
        #expect(node.state?["start"] == 20)
        #expect(node.state?["timer"]?["name"] == "Longer")
        #expect(node.last("mode") != "stopped")
        #expect(node.setAside.count == 1)
        #expect(node.logs.contains { $0.contains("kept the edits as a file") })
        // The new times survive a restart.
        let next = try Scenario(saved: node.saved.last, after: .seconds(2)) {
            $0.storage = .init(directory: "/nowhere")
            $0.timers = .init(name: "Longer", thresholds: thresholds)
        }
        #expect(next.setAside.isEmpty)
        #expect(next.state?["timer"]?["name"] == "Longer")
    }

    @Test("with another name, prefix or group lets the node execute commands to the former ones until it reconnects")
    func formerTopics() throws {
        let changes: [(topic: String, change: (inout NodeConfiguration) -> Void)] = [
            ("timer/lectern/command/stop", { $0.node.id = "stage" }),
            ("timer/lectern/command/stop", { $0.mqtt?.prefix = "clock" }),
            ("timer/@hall-a/command/stop", { $0.node.groups = [] }),
        ]
        for (topic, change) in changes {
            var node = try running()
            reload(&node, change)
            node.send(topic: topic, [])
            #expect(node.core.timer.player.mode == .stopped)
            #expect(node.core.reports.health.answered == 2)
            let unknown = topic.replacing("stop", with: "dance")
            node.send(topic: unknown, [])
            #expect(node.logs.last?.contains("refused \(unknown): unknown_command") == true)
            let before = node.publications.count
            node.accept()
            let answers = node.publications.dropFirst(before).filter { $0.topic == "timer/lectern/response" }
            #expect(answers.count == 2, "each is answered on its own topics, after reconnecting")
            node.send(topic: topic.replacing("stop", with: "start"), [])
            #expect(node.core.timer.player.mode == .stopped, "it is no longer the node's topic")
        }
    }

    @Test("with another folder makes the node save there")
    func storage() throws {
        var node = try running { $0.storage = .init(directory: "/nowhere") }
        let saved = node.saved.count
        reload(&node) { $0.storage?.directory = "/elsewhere" }
        #expect(node.replaced == [.store])
        #expect(node.saved.count == saved + 1)
    }
}
