import FoundationEssentials
import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("A run in the report")
struct RunAmendmentTests {
    /// A node with one run of a speech of 5 to 7 minutes, and the run's id.
    private func spoken(for duration: Duration) throws -> (node: Scenario, id: String) {
        var node = try Scenario(configure: RunTests.speeches)
        node.send("start", #"{"speaker":"Ada"}"#)
        node.wait(duration)
        node.send("stop")
        return (node, try #require(try RunTests.runs(node).first).id.uuidString.lowercased())
    }

    @Test("is corrected by its id")
    func speaker() throws {
        var (node, id) = try spoken(for: .seconds(5))
        #expect(node.send("runs", #"{"id":"\#(id)","speaker":"Grace"}"#)?["status"] == "ok")
        #expect(try RunTests.runs(node).first?.speaker == "Grace")
        #expect(node.send("runs", #"{"id":"a","run":"\#(id)","speaker":""}"#)?["status"] == "ok")
        #expect(try RunTests.runs(node).first?.speaker == nil)
        #expect(node.send("runs", #"{"id":"a","speaker":"Grace"}"#)?["code"] == "invalid_payload")
        let other = UUID().uuidString
        #expect(node.send("runs", #"{"run":"\#(other)","speaker":"Grace"}"#)?["code"] == "not_found")
    }

    @Test(
        "qualifies by its corrected time, and keeps the measured one",
        arguments: [
            ("6:32", 392, 0, true), ("4:30", 270, 0, true), ("269", 269, 0, false), ("7:30", 450, 30, true),
            ("7:31", 451, 31, false),
        ])
    func time(used: String, seconds: Int, over: Int, qualified: Bool) throws {
        var (node, id) = try spoken(for: .milliseconds(600_250))
        #expect(try RunTests.runs(node).first?.qualified == false)
        #expect(node.send("runs", #"{"run":"\#(id)","used":"\#(used)"}"#)?["status"] == "ok")
        let run = try #require(try RunTests.runs(node).first)
        #expect(run.used == .seconds(seconds) && run.over == .seconds(over) && run.qualified == qualified)
        #expect(run.measured == .milliseconds(600_250))
        #expect(run.speaker == "Ada")
        #expect(try SavedRuns(try #require(node.savedRuns)).runs.last == run)
    }

    @Test("is corrected twice, and back to the time that was measured")
    func back() throws {
        var (node, id) = try spoken(for: .milliseconds(600_250))
        let before = try #require(try RunTests.runs(node).first)
        for used in ["6:32", "6:33"] { node.send("runs", #"{"run":"\#(id)","used":"\#(used)","speaker":"Grace"}"#) }
        #expect(try RunTests.runs(node).first?.measured == .milliseconds(600_250))
        #expect(try RunTests.runs(node).first?.speaker == "Grace")
        #expect(node.send("runs", #"{"run":"\#(id)","used":600,"speaker":"Ada"}"#)?["status"] == "ok")
        #expect(try RunTests.runs(node) == [before])
    }

    @Test(
        "is not corrected to an impossible time",
        arguments: [
            (#""used":-1"#, "used"), (#""used":604801"#, "expected 0 s to 604800 s"), (#""used":"soon""#, "used"),
            (#""used":5,"page":2"#, "cannot be combined"),
        ])
    func impossible(fields: String, reason: String) throws {
        var (node, id) = try spoken(for: .seconds(400))
        let before = try RunTests.runs(node)
        let answerSent = node.send("runs", #"{"run":"\#(id)",\#(fields)}"#)
        let answer = try #require(answerSent)
        #expect(answer["code"] == "invalid_payload")
        #expect("\(answer["message"] ?? .null)".contains(reason), "\(answer)")
        #expect(try RunTests.runs(node) == before)
    }
}
