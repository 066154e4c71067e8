import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A restarted node")
struct RestartTests {
    /// Timers of 60 s, with a warning at 20 s and a final at 10 s, and then 30 s.
    private static func configure(_ configuration: inout NodeConfiguration) {
        configuration.storage = .init(directory: "/nowhere")
        let groups = [TimerGroup(timers: [timer("Talk", 60, 20, 10), timer("Questions", 30, 0, 0)])]
        configuration.timers = (try? .init(groups: groups)) ?? configuration.timers
    }

    private static func timer(_ name: String, _ start: Int, _ warning: Int, _ final: Int) -> TimerItem {
        let thresholds = try? Thresholds(start: start, warning: warning, final: final)
        return TimerItem(name: name, thresholds: thresholds ?? .zero)
    }

    /// A node that was started at 0, and killed after some commands and waits.
    private func killed(after steps: [Step]) throws -> Scenario {
        var node = try Scenario(configure: Self.configure)
        for step in steps {
            switch step {
            case .send(let verb, let payload): node.send(verb, payload)
            case .wait(let seconds): node.wait(.seconds(seconds))
            }
        }
        return node
    }

    enum Step: Sendable {
        case send(String, String = "")
        case wait(Int)
    }

    /// The next node, started a number of seconds later on both clocks.
    private func next(
        _ old: Scenario, down: Int, wallClock: Double? = nil, boot: String = "a boot",
        configure: (inout NodeConfiguration) -> Void = { _ in }
    ) throws -> Scenario {
        let beginning = Instant(sinceEpoch: .seconds(1000))
        var node = try Scenario(
            connected: false, saved: old.saved.last, boot: boot,
            after: boot == "a boot" ? beginning.duration(to: old.now.instant) + .seconds(down) : .seconds(down),
            wallClock: wallClock.map { old.now.date.addingTimeInterval($0) }
        ) {
            Self.configure(&$0)
            configure(&$0)
        }
        node.accept()
        return node
    }

    @Test(
        "continues in the same boot as if nothing had happened, and catches up with deadlines up to a minute ago",
        arguments: [
            ([.send("start"), .wait(5)], 3, "countdown", "1/1", 52),
            ([.send("start"), .wait(5)], 35, "warning", "1/1", 20),
            ([.send("start"), .wait(5)], 60, "countdown", "1/2", 25),
            ([.send("start"), .wait(5)], 115, "alarm", "1/2", 0),
            ([.send("start"), .wait(5)], 116, "stopped", "1/1", 60),
            ([.send("start", "1/2"), .wait(25)], 65, "alarm", "1/2", 0),
            ([.send("start", "1/2"), .wait(25)], 66, "stopped", "1/2", 30),
            ([.send("start", "1/2"), .wait(40)], 3600, "alarm", "1/2", 0),
            ([.send("start"), .wait(45), .send("pause")], 3600, "paused", "1/1", 15),
            ([.send("select", "1/2")], 3600, "stopped", "1/2", 30),
        ] as [([Step], Int, String, String, Int)])
    func sameBoot(steps: [Step], down: Int, mode: String, path: String, remaining: Int) throws {
        let old = try killed(after: steps)
        let node = try next(old, down: down)
        #expect(node.last("mode") == mode)
        #expect(node.state?["timer"]?["path"] == .string(path))
        #expect(node.state?["remaining"] == .integer(remaining))
        let isLate = mode == "stopped" && old.last("mode") != "stopped"
        #expect(node.logs.contains { $0.contains("while the node was down") } == isLate)
    }

    @Test("publishes no event that was published before, or that was due while it was down")
    func events() throws {
        var old = try killed(after: [.send("start"), .wait(45)])
        var node = try next(old, down: 8)
        #expect(!node.publications.contains { $0.topic.hasSuffix("/event") || $0.topic.hasSuffix("/tick") })
        #expect(node.last("mode") == "final")
        node.wait(.seconds(40))
        old.wait(.seconds(48))
        let modes = { (node: Scenario) in
            node.publications.filter { $0.topic.hasSuffix("/event") }.map(\.text).suffix(4)
        }
        #expect(modes(node) == modes(old), "the rest is the same, to the millisecond")
        #expect(node.state?["ends_at"] == old.state?["ends_at"])
        #expect(node.state?["last"] == old.state?["last"])
    }

    @Test(
        "in another boot acts as after_reboot specifies",
        arguments: [
            (.pause, [.send("start"), .wait(45)], "paused", 20),  // The position that was last saved, at the warning.
            (.pause, [.send("start", "1/2"), .wait(31)], "stopped", 30),
            (.pause, [.send("start"), .wait(10), .send("pause")], "paused", 50),
            (.resume, [.send("start"), .wait(45)], "final", 5),
            (.resume, [.send("start"), .wait(10), .send("pause")], "paused", 50),
            (.resume, [.send("start", "1/2"), .wait(25)], "alarm", 0),
            (.stop, [.send("start"), .wait(45)], "stopped", 60),
            (.stop, [.send("start", "1/2"), .wait(31)], "stopped", 30),
            (.stop, [.send("start"), .wait(10), .send("pause")], "stopped", 60),
        ] as [(AfterReboot, [Step], String, Int)])
    func reboot(policy: AfterReboot, steps: [Step], mode: String, remaining: Int) throws {
        // The boot clock starts again; by the wall clock, ten seconds passed.
        let node = try next(try killed(after: steps), down: -990, wallClock: 10, boot: "another") {
            $0.storage?.afterReboot = policy
        }
        #expect(node.last("mode") == mode)
        #expect(node.state?["remaining"] == .integer(remaining))
    }

    @Test("resumes by the wall clock: stopped if the clock is far ahead, from the saved time if it is behind")
    func wallClock() throws {
        let old = try killed(after: [.send("start"), .wait(45)])
        for (seconds, mode, remaining) in [(3600.0, "stopped", 60), (-86_400, "warning", 20)] {
            let node = try next(old, down: 5, wallClock: seconds, boot: "another") {
                $0.storage?.afterReboot = .resume
            }
            #expect(node.last("mode") == mode)
            #expect(node.state?["remaining"] == .integer(remaining))
        }
    }

    @Test("knows in another boot when the current mode began")
    func modeBegan() throws {
        let old = try killed(after: [.send("start"), .wait(45)])
        // The warning began 8 s before this node was started.
        let node = try next(old, down: -990, wallClock: 3, boot: "another") { $0.storage?.afterReboot = .resume }
        #expect(node.last("mode") == "warning" && node.state?["remaining"] == 12)
        #expect(node.state?["clock"]?["since"] == 2_000_000 && node.state?["clock"]?["zero"] == 22_000_000)
    }

    @Test("does not treat an unknown boot id as the same boot")
    func hiddenBoot() throws {
        var old = try Scenario(boot: "", configure: Self.configure)
        old.send("start")
        let node = try next(old, down: 1, wallClock: 1, boot: "")
        #expect(node.last("mode") == "paused")
    }

    @Test("is paused by a clean reboot exactly where it was")
    func cleanReboot() throws {
        var old = try killed(after: [.send("start"), .wait(13)])
        old.wait(.milliseconds(250))
        old.happens(.terminate)
        let node = try next(old, down: 1, wallClock: 30, boot: "another")
        #expect(node.state?["precise_remaining"] == .number(46.75))
    }

    @Test("saves when something changes, but not when a second passes")
    func rarely() throws {
        let node = try killed(after: [.wait(100), .send("start"), .wait(95)])
        // The saves are for: stopped, started, warning, final, the next timer, the alarm.
        #expect(node.saved.count == 6)
    }

    @Test("saves nothing about an agenda, a running order or a leader that it does not have")
    func onlyWhatThereIs() throws {
        let saved = try #require(killed(after: [.wait(100), .send("start")]).saved.last)
        let text = String(decoding: saved, as: UTF8.self)
        for key in ["agenda", "programme", "follow"] { #expect(!text.contains("\"\(key)\""), "\(text)") }
    }
}
