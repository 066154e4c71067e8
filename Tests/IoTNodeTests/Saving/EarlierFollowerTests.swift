import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// `Tests/saved/follower.json` is the state of a follower that was killed while its leader's timer ran. It contains the
/// leader's state as that version published it: without `undo`, `entry`, `budget`, `until` and `lead`.
@Suite("The state that a follower of an earlier version saved")
struct EarlierFollowerTests {
    private static func file() throws -> [UInt8] {
        Array(try String(contentsOfFile: repositoryFile("Tests/saved/follower.json"), encoding: .utf8).utf8)
    }

    /// A follower that finds a state five seconds after it was saved. The broker knows no messages of the leader yet.
    private static func node(_ document: [UInt8]) throws -> Scenario {
        let saved = try SavedNodeState(document)
        return try Scenario(
            saved: document, boot: saved.boot,
            after: Instant(sinceEpoch: .seconds(1000)).duration(to: saved.at) + .seconds(5),
            wallClock: saved.date.addingTimeInterval(5)
        ) {
            $0.node.id = "side"
            $0.follow = .init(node: "lectern", prefix: "timer")
            $0.storage = .init(directory: "/nowhere")
        }
    }

    private static func state(_ node: Scenario) throws -> JSON {
        try JSON(parsing: try #require(node.publications.last { $0.topic == "timer/side/state" }).payload)
    }

    /// Expects that a follower shows what the leader's timer shows by now.
    private static func expectRun(_ node: Scenario) throws {
        #expect(node.setAside.isEmpty && node.warnings.isEmpty, "\(node.logs)")
        #expect(node.lit == "green")
        let state = try state(node)
        #expect(state["mode"] == "countdown" && state["timer"]?["name"] == "Pro")
        #expect(state["start"] == 480 && state["speaker"] == "Ada Lovelace")
        for key in ["undo", "entry", "budget", "until", "lead"] { #expect(state[key] == .null, "\(key)") }
    }

    @Test("is restored: it shows the leader's run and nothing of what is new, and saves it again")
    func restored() throws {
        let node = try Self.node(Self.file())
        try Self.expectRun(node)
        #expect(try Self.state(node)["remaining"] == 500)
        let again = try Self.node(try #require(node.saved.last))
        try Self.expectRun(again)
        #expect(try Self.state(again)["remaining"] == 495)
    }

    @Test("is used with a leader that has not been updated yet")
    func olderLeader() throws {
        let leader = try #require(try SavedNodeState(Self.file()).follow)
        var node = try Self.node(Self.file())
        for (topic, payload) in [("state", leader.state), ("timers", leader.timers), ("message", leader.message)] {
            node.send(topic: "timer/lectern/\(topic)", Array(try #require(payload).utf8), retained: true)
        }
        try Self.expectRun(node)
    }
}
