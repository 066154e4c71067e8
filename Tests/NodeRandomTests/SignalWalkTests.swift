import BrokerLink
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// Counts the transitions that a node publishes: changes of mode, and changes of timer in a sequence.
private struct Transitions {
    private var read = 0

    /// Returns the number of transitions since the last call.
    mutating func count(in node: Scenario) -> Int {
        let new = node.publications[read...].filter { $0.topic.hasSuffix("/event") }
        read = node.publications.count
        return new.count { !$0.text.contains("run_ended") && !$0.text.contains("timer_edited") }
    }
}

@Suite("After any commands")
struct SignalWalkTests {
    private static let verbs = [
        ("start", ""), ("stop", ""), ("pause", ""), ("resume", ""), ("end", ""), ("toggle", ""), ("next", ""),
        ("previous", ""), ("rewind", ""), ("fast_forward", ""), ("add", "2"), ("add", "-2"), ("silence", ""),
        ("silence", ""), ("beep", "triple"), ("beep", "long"), ("lamp_test", ""), ("lamp_test", #"{"force":true}"#),
        ("identify", ""),
    ]

    private func node(_ numbers: inout SeededGenerator) throws -> Scenario {
        var table = SignalTable(SignalProfile.allCases.randomElement(using: &numbers) ?? .podium)
        table.grace = Bool.random(using: &numbers) ? .seconds(3) : nil
        table.overtime = Bool.random(using: &numbers) ? .init(every: .seconds(4), pattern: .held) : nil
        if Bool.random(using: &numbers) {
            table.modes[.warning] = ["yellow": .on, "buzzer": .play(Pattern(milliseconds: 80, 40, 80))]
        }
        let thresholds = try Thresholds(start: 6, warning: 4, final: 2)
        let groups = TimerGroup.Alarm.allCases.map { alarm in
            TimerGroup(alarm: alarm, timers: (0..<3).map { _ in TimerItem(thresholds: thresholds) })
        }
        return try Scenario { configuration in
            configuration.mqtt?.commandRate = 0
            configuration.signals = table
            configuration.timers = (try? .init(groups: groups)) ?? configuration.timers
            configuration.gpio.outputs["vibrate"] = .init(line: "VIBRATE")
        }
    }

    @Test(
        "levels change only when predicted, and a stopped or silenced node stays that way",
        arguments: SeededGenerator.seeds(20))
    func walk(seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        var node = try node(&numbers)
        // The latest time at which a signal that was requested while stopped may be lit.
        var askedUntil = node.now.instant
        var isSilenced = false
        var transitions = Transitions()
        for _ in 0..<100 {
            let (verb, payload) = try #require(Self.verbs.randomElement(using: &numbers))
            let isOK = node.send(verb, payload)?["status"] == "ok"
            if ["beep", "lamp_test", "identify"].contains(verb) { askedUntil = node.now.instant + .seconds(6) }
            if transitions.count(in: node) > 0 {
                askedUntil = node.now.instant
                isSilenced = false
            }
            if verb == "silence", isOK { isSilenced = true }

            foretold(node)
            node.wait(.milliseconds(Int.random(in: 0...2500, using: &numbers)))

            if node.last("mode") == "stopped", askedUntil <= node.now.instant { #expect(node.lit == "dark") }
            if transitions.count(in: node) > 0 { isSilenced = false }
            if isSilenced {
                #expect(node.levels?["buzzer"] == false && node.levels?["vibrate"] == false)
            }
            let indicators = node.core.outputs.indicators
            let levels = zip(indicators.names, indicators.reading(at: node.now.instant).levels)
            #expect(node.levels == Dictionary(uniqueKeysWithValues: levels), "the lines match the state")
        }
        node.send("stop")
        node.wait(Undo.time)
        #expect(node.lit == "dark")
        #expect(node.core.nextInstant == nil)
    }

    /// Checks that, without further commands, the levels change at the predicted instants and not in between.
    private func foretold(_ node: Scenario) {
        let indicators = node.core.outputs.indicators
        var now = node.now.instant
        for _ in 0..<8 {
            // Each reading is independent, because it is computed without the last result.
            let reading = indicators.reading(at: now)
            let end = reading.nextInstant ?? now + .seconds(100)
            #expect(end > now)
            for part in 1...3 {
                let between = indicators.reading(at: now + now.duration(to: end) / 4 * part)
                #expect(between.levels == reading.levels)
                #expect(between.states == reading.states)
            }
            #expect(indicators.reading(at: end - .nanoseconds(1)).levels == reading.levels)
            guard let next = reading.nextInstant else { return }
            now = next
        }
    }
}
