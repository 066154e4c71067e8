import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A saved document beside Foundation's")
struct SavedDocumentWalkTests {
    /// Two groups, with all that a group and a timer may have.
    private static func configure(_ configuration: inout NodeConfiguration) throws {
        configuration.storage = .init(directory: "/nowhere")
        let thresholds = try TimerEngine.Thresholds(start: 60, warning: 20, final: 10)
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

    /// A document's JSON with its keys sorted, as its order means nothing.
    private func content(_ json: [UInt8]) throws -> JSON { try JSON(parsing: json).sorted }

    @Test("says what Foundation's encoder says of the same state, and is read back as that state")
    func likeFoundation() throws {
        var random = SeededGenerator()
        var node = try Scenario { try? Self.configure(&$0) }
        for _ in 0..<300 {
            let command = Self.commands.randomElement(using: &random) ?? ""
            let parts = command.split(separator: " ", maxSplits: 1).map(String.init)
            node.send(parts[0], parts.count > 1 ? parts[1] : "")
            node.wait(.milliseconds(Int.random(in: 0...9000, using: &random)))
        }
        #expect(node.saved.count > 100)
        for document in node.saved {
            let state = try SavedNodeState(document)
            let foundation = Array(try JSONEncoder().encode(state))
            #expect(try content(SavedDocument.state.open(document)) == content(foundation))
            #expect(state.document == document)
            #expect(try SavedNodeState(SavedDocument.state.seal(foundation)).document == document)
        }
    }

    @Test("says of timers what Foundation's encoder says, but for the selection")
    func timers() throws {
        var configuration = NodeConfiguration(node: .init(id: "lectern"))
        try Self.configure(&configuration)
        let model = configuration.timers.model
        guard case .object(let members) = try content(Array(try JSONEncoder().encode(model))) else { return }
        let expected = JSON.object(members.filter { $0.key != "selected" })
        #expect(try content(TimersMessage(model).bytes) == expected)
    }
}

extension JSON {
    /// With the members of each object in the order of their keys.
    fileprivate var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(
                members.map { Member(key: $0.key, value: $0.value.sorted) }.sorted { $0.key < $1.key })
        default: self
        }
    }
}
