import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The meaning of the modes")
struct ModeSignalsTests {
    private static func signals(_ node: Scenario) throws -> ModeSignals {
        let health = try #require(node.last("health"))
        return try #require(try HealthMessage(Array(health.utf8)).signals)
    }

    private func reload(_ node: inout Scenario, _ change: (inout NodeConfiguration) -> Void) {
        var configuration = node.core.configuration
        change(&configuration)
        node.reload(.success(.init(configuration)))
    }

    @Test("in the health report is the usual one for a podium")
    func podium() throws {
        let signals = try Self.signals(try Scenario())
        #expect(signals == .podium)
        #expect(signals == SignalTable.podium.told)
    }

    @Test("is qualified, wrap up and time with the Toastmasters profile, as on its cards")
    func toastmasters() throws {
        let signals = try Self.signals(try Scenario { $0.signals = SignalTable(.toastmasters) })
        let expected: [(ModeName, String, [String: OutputState]?)] = [
            (.stopped, "Stopped", [:]), (.countdown, "Running", [:]), (.warning, "Qualified", ["green": .on]),
            (.final, "Wrap up", ["yellow": .on]), (.alarm, "Time", ["red": .on]), (.paused, "Paused", nil),
        ]
        for (mode, word, lamps) in expected { #expect(signals[mode] == .init(word, lamps: lamps), "\(mode)") }
    }

    @Test("is the configured one, without sounds and short signals")
    func own() throws {
        var table = SignalTable(.podium)
        let beep = Pattern(milliseconds: 150)
        table.words = [.warning: "Hurry"]
        table.modes[.warning] = [
            "red": .on, "strip": .blink(.flash), "green": .off, "yellow": .play(beep), "horn": .on,
        ]
        table.modes[.alarm] = ["red": .play(beep), "buzzer": .play(beep)]
        table.modes[.paused] = ["green": .blink(.held)]
        let signals = try Self.signals(try Scenario { $0.signals = table })
        #expect(signals[.warning] == .init("Hurry", lamps: ["red": .on, "strip": .blink]))
        #expect(signals[.alarm] == .init("Overtime", lamps: ["red": .blink]))
        #expect(signals[.paused] == .init("Paused", lamps: ["green": .blink]))
        #expect(signals[.final] == ModeSignals.podium[.final])
    }

    @Test("is published again at once if a new configuration changes it, and only then")
    func reload() throws {
        var node = try Scenario()
        let count = { (node: Scenario) in node.publications.filter { $0.topic == "timer/lectern/health" }.count }
        let before = count(node)
        reload(&node) { $0.signals.words[.final] = "Last minute" }
        #expect(count(node) == before + 1)
        #expect(try Self.signals(node)[.final].word == "Last minute")
        reload(&node) { $0.signals.alarmSoundFor = .seconds(3) }
        #expect(count(node) == before + 1)
    }
}
