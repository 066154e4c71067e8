import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A saved document")
struct SavedDocumentTests {
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
            #expect(try content(SavedDocument.open(document)) == content(foundation))
            #expect(state.document == document)
            #expect(try SavedNodeState(SavedDocument.seal(foundation)).document == document)
        }
    }

    @Test("of version 0.1.0, which sorted the keys and padded nothing, is taken up as it stands")
    func old() throws {
        let thresholds = try TimerEngine.Thresholds(start: 300, warning: 60)
        let node = try Scenario(saved: Array(Self.old.utf8), boot: "a boot", after: .seconds(5)) {
            $0.storage = .init(directory: "/nowhere")
            $0.timers = .init(name: "Talk / é", thresholds: thresholds)
        }
        #expect(node.setAside.isEmpty)
        #expect(node.last("mode") == "countdown")
        #expect(node.state?["remaining"] == 295)
        #expect(node.state?["timer"]?["name"] == "Talk / é")
        #expect(node.state?["last"]?["used"] == .number(2.5))
        #expect(node.state?["started_at"] == "2023-11-14T22:13:20.000Z")
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

    /// What `timer-node` 0.1.0 wrote.
    private static let old = #"""
        timer-node-state 1 258dbb5a
        {"at":{"sinceEpoch":[54,3875820019684212736]},"boot":"a boot",\#
        "configured":{"groups":[{"alarm":"none","at_zero":"next","display":"numerical","name":"Timers",\#
        "timers":[{"final":0,"id":"74696d65-722d-8e6f-8064-650000000101","name":"Talk / é","start":300,\#
        "warning":60}]}],"selected":"1/1","settings":{"start_timer_immediately":true},"version":2},\#
        "date":721692800,"player":{"countdown":{"over":{"before":[0,0]},"state":"running",\#
        "thresholds":{"final":0,"start":300,"warning":60},"ticked":298,"used":{"before":[0,0],\#
        "since":{"sinceEpoch":[54,3875820019684212736]}},"zero":{"sinceEpoch":[70,8727914840331386880]}},\#
        "last_run":{"name":"Talk / é","over":[0,0],"path":"1/1","used":[0,2500000000000000000]},\#
        "model":{"groups":[{"alarm":"none","at_zero":"next","display":"numerical","name":"Timers",\#
        "timers":[{"final":0,"id":"74696d65-722d-8e6f-8064-650000000101","name":"Talk / é","start":300,\#
        "warning":60}]}],"selected":"1/1","settings":{"start_timer_immediately":true},"version":2}},\#
        "started_at":{"sinceEpoch":[54,3875820019684212736]}}
        """#
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
