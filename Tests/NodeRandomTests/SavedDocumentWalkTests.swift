import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A saved document")
struct SavedDocumentWalkTests {
    /// Configures two groups, using every group and timer setting.
    private static func configure(_ configuration: inout NodeConfiguration) throws {
        configuration.storage = .init(directory: "/nowhere")
        let thresholds = try Thresholds(start: 60, warning: 20, final: 10)
        configuration.timers = try .init(groups: [
            TimerGroup(
                name: "Talk \"1\" / é", display: .stoplights, alarm: .soundVibrate, sound: "alarm", transition: "none",
                timers: [
                    TimerItem(name: "Talk", thresholds: thresholds, event: "Meet\\up", location: "Hall"),
                    TimerItem(name: "Questions", thresholds: thresholds),
                ]),
            TimerGroup(name: "Talk 2", atZero: .alarm, timers: [TimerItem(thresholds: thresholds)]),
        ])
    }

    private static let commands = [
        "start", "start 1/2", "pause", "resume", "stop", "toggle", "next", "previous", "add 30", "silence", "end",
        "rewind", "fast_forward",
        #"start {"duration":"1:00","name":"Extra"}"#, #"edit {"start":30,"name":"Changed"}"#,
    ]

    @Test("is read back as it was written")
    func readBack() throws {
        var random = SeededGenerator()
        var node = try Scenario { try? Self.configure(&$0) }
        for _ in 0..<300 {
            let command = Self.commands.randomElement(using: &random) ?? ""
            let parts = command.split(separator: " ", maxSplits: 1).map(String.init)
            node.send(parts[0], parts.count > 1 ? parts[1] : "")
            node.wait(.nanoseconds(Int.random(in: 0...9_000_000_000, using: &random)))
        }
        #expect(node.saved.count > 100)
        for document in node.saved { #expect(try SavedNodeState(document).document == document) }
    }
}
