import ConfigurationFiles
import FoundationEssentials
import NodeConfiguration
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import timer_node

@Suite("Timers as YAML")
struct TimersYAMLTests {
    private static let texts = [
        "Talk", "", "yes", "no", "1:30", "0x1F", "a: b", "- x", "# x", "'", "\"", "\\", "{a}", "日本", "é\u{301}", "null",
        "~",
        " leading", "trailing ", "&a", "*a", "!t", "%", "@", "`", "on,off", "?",
    ]

    private func text(_ random: inout SeededGenerator) -> String { Self.texts.randomElement(using: &random) ?? "" }

    private func name(_ random: inout SeededGenerator) -> String {
        let text = text(&random)
        return text.isEmpty ? "x" : text
    }

    @Test("are read as the same timers except for the ids", arguments: SeededGenerator.seeds(100))
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var groups: [TimerGroup] = []
        for _ in 0...Int.random(in: 0...3, using: &random) {
            var group = TimerGroup(name: name(&random))
            group.display = TimerGroup.Display.allCases.randomElement(using: &random) ?? .circular
            group.atZero = Bool.random(using: &random) ? .next : .alarm
            if Bool.random(using: &random) {
                group.alarm = .soundVibrate
                group.sound = "chirp of my own"
            } else if Bool.random(using: &random) {
                group.sound = "none"
            }
            if Bool.random(using: &random) { group.transition = "double" }
            for _ in 1...Int.random(in: 1...4, using: &random) {
                let start = Int.random(in: 5...86_399, using: &random)
                let warning = Int.random(in: 3..<start, using: &random)
                group.timers.append(
                    TimerItem(
                        name: name(&random),
                        thresholds: try Thresholds(start: start, warning: warning, final: 2),
                        event: Bool.random(using: &random) ? name(&random) : nil,
                        location: Bool.random(using: &random) ? name(&random) : nil))
            }
            groups.append(group)
        }
        var settings = TimerModel.Settings()
        settings.startTimerImmediately = Bool.random(using: &random)
        let model = try TimerModel(groups: groups, settings: settings)
        let yaml = TimersYAML.text(model)
        let read = try #require(try NodeConfiguration.loadTimers(yaml: Array(yaml.utf8), file: "x.yaml"), "\(yaml)")
        #expect(read.keepingIDs(of: model) == model, "\(yaml)")
        #expect(TimersYAML.text(read) == yaml)
    }

    @Test("can be read from a whole configuration, even if its other sections are invalid")
    func wholeConfiguration() throws {
        let yaml = "gpio: 7\ntimers: {groups: [{timers: [{name: A, start: 1:00}]}]}\n"
        let model = try #require(try NodeConfiguration.loadTimers(yaml: Array(yaml.utf8), file: "x.yaml"))
        #expect(model.groups[0].timers[0].thresholds.start == 60)
        #expect(try NodeConfiguration.loadTimers(yaml: Array("log: {level: info}".utf8), file: "x.yaml") == nil)
        #expect(throws: ConfigurationError.self) {
            try NodeConfiguration.loadTimers(yaml: Array("timers: {groups: []}".utf8), file: "x.yaml")
        }
    }
}
