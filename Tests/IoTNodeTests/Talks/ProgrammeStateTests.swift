import BrokerLink
import FoundationEssentials
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A running order")
struct ProgrammeStateTests {
    /// Restarts the node's process.
    private func restarted(_ node: Scenario) throws -> Scenario {
        let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
        return try Scenario(
            saved: node.saved.last, savedRuns: node.savedRuns, after: passed, configure: LateStartTests.configure)
    }

    @Test("keeps over a restart which entries are left out")
    func skipped() throws {
        var node = try ProgrammeTests.node()
        node.send("entry", #"{"skip":"motion"}"#)
        node = try restarted(node)
        #expect(try ProgrammeTests.message(node).entries.map(\.state) == [.coming, .skipped, .coming, .coming])
    }

    @Test("keeps its revision over a restart even if it was removed")
    func revision() throws {
        var node = try ProgrammeTests.node()
        #expect(node.send("programme")?["status"] == "ok")
        node = try restarted(node)
        #expect(node.send("programme", #"{"revision":1,"entries":[{"title":"A"}]}"#)?["code"] == "conflict")
        #expect(node.send("programme", #"{"revision":3,"entries":[{"title":"A"}]}"#)?["status"] == "ok")
        #expect(try ProgrammeTests.message(node).revision == 4)
    }

    @Test("is planned if its only entry has a time of day")
    func planned() throws {
        let node = try ProgrammeTests.node(
            #"{"entries":[{"title":"A","timer":"2","at":"19:05"}]}"#, at: "2026-11-20T19:00:00Z")
        let planned = try #require(RFC3339.date("2026-11-20T19:05:00Z"))
        #expect(try ProgrammeTests.message(node).entries.map(\.planned) == [planned])
    }
}
