import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A run that was ended by accident")
struct UndoTests {
    /// A node whose timer of a minute has run for 20 s, with a speaker and a message.
    private func running() throws -> Scenario {
        var node = try Scenario(configure: LateStartTests.configure)
        node.send("start", #"{"timer":"2","speaker":"Ada"}"#)
        node.wait(.seconds(20))
        node.send("message", "Slower, please")
        return node
    }

    /// Restarts the node's process.
    private func restarted(_ node: Scenario, boot: String = "a boot") throws -> Scenario {
        let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
        return try Scenario(
            saved: node.saved.last, savedRuns: node.savedRuns, boot: boot, after: passed,
            configure: LateStartTests.configure)
    }

    @Test(
        "goes on as if nothing had happened",
        arguments: ["stop", "start", "start 1/1", "rewind", "fast_forward", "end", "previous", "select 1/2"])
    func undone(text: String) throws {
        var node = try running()
        let words = text.split(separator: " ").map(String.init)
        #expect(node.send(words[0], words.count > 1 ? words[1] : "")?["status"] == "ok")
        let undo = try #require(node.state?["undo"])
        #expect(undo["command"] == .string(words[0]) && undo["until"] == "2023-11-14T22:13:55.000Z")
        node.wait(.seconds(10))
        node = try restarted(node)
        let recorded = try RunTests.runs(node).count
        let before = node.publications.count
        #expect(node.send("undo")?["status"] == "ok")
        #expect(node.state?["remaining"] == 30 && node.state?["run"]?["used"] == 30)
        #expect(node.state?["speaker"] == "Ada" && node.state?["undo"] == .null && node.lit == "green")
        #expect(node.state?["timer"]?["path"] == "2/1")
        #expect(node.last("message")?.contains("Slower, please") == true)
        #expect(try RunTests.runs(node).isEmpty)
        let withdrawn = LateStartTests.events(node, from: before).filter { $0 == "run_undone" }
        #expect(withdrawn.count == recorded)
        node.send("stop")
        #expect(try RunTests.runs(node).map(\.used) == [.seconds(30)])
    }

    @Test("stays paused if it was, and keeps its id")
    func paused() throws {
        var node = try running()
        node.send("pause")
        node.send("stop")
        let run = try #require(try RunTests.runs(node).first)
        node.wait(.seconds(14))
        let before = node.publications.count
        #expect(node.send("undo")?["mode"] == "paused")
        let withdrawn = node.publications[before...].first { $0.text.contains("run_undone") }
        #expect(withdrawn?.text.contains(#""run":{"id":"\#(run.id.uuidString.lowercased())","undone":true}"#) == true)
        #expect(node.state?["run"]?["used"] == 20 && node.state?["run"]?["paused"] == 14)
        node.send("stop")
        #expect(try RunTests.runs(node).map(\.id) == [run.id])
    }

    @Test("has reached its alarm or the next timer by then, and records what is through")
    func through() throws {
        var node = try Scenario(configure: LateStartTests.configure)
        node.send("start", "1")
        node.wait(.seconds(3))
        node.send("stop")
        node.wait(.seconds(8))
        let before = node.publications.count
        node.send("undo")
        #expect(node.state?["timer"]?["path"] == "1/2" && node.state?["remaining"] == 5)
        #expect(LateStartTests.events(node, from: before) == ["run_undone", "run_ended", "warning"])
        #expect(try RunTests.runs(node).map(\.used) == [.seconds(6)])
    }

    @Test("is brought back over a run that was started by accident, which leaves no trace")
    func replaced() throws {
        var node = try running()
        node.send("start", "1")
        node.wait(.seconds(8))
        #expect(try RunTests.runs(node).count == 2)
        node.send("undo")
        #expect(try RunTests.runs(node).isEmpty)
        #expect(node.state?["timer"]?["path"] == "2/1" && node.state?["run"]?["used"] == 28)
    }

    @Test("is brought back by a button")
    func button() throws {
        var node = try running()
        node.send("stop")
        #expect(try BoundCommand("undo").command == .correction(.undo))
        node.wait(.seconds(1))
        #expect(node.send("undo")?["status"] == "ok")
    }

    @Test("can be brought back for 15 s, unless another run was started, and once only")
    func over() throws {
        var node = try running()
        #expect(node.send("undo")?["code"] == "not_allowed")
        node.send("stop")
        node.send("select", "1/2")
        node.wait(.milliseconds(14_999))
        #expect(node.state?["undo"]?["command"] == "stop")
        node.wait(.milliseconds(1))
        #expect(node.state?["undo"] == .null, "it is published that the time is over")
        #expect(node.send("undo")?["code"] == "not_allowed")
        node.send("start", "2")
        node.wait(.seconds(3))
        node.send("stop")
        node.send("start")
        #expect(node.state?["undo"] == .null)
        #expect(node.send("undo")?["code"] == "not_allowed")
        node.wait(.seconds(3))
        node.send("stop")
        #expect(node.send("undo")?["status"] == "ok")
        #expect(node.send("undo")?["code"] == "not_allowed")
    }

    @Test("is forgotten after 15 s without another save, and after a restart")
    func forgotten() throws {
        var node = try running()
        node.send("stop")
        let saves = node.saved.count
        node.wait(.seconds(20))
        #expect(node.state?["undo"] == .null && node.saved.count == saves)
        node = try restarted(node)
        #expect(node.state?["undo"] == .null && node.send("undo")?["code"] == "not_allowed")
        #expect(try RunTests.runs(node).count == 1)
    }

    @Test("is not brought back after a reboot, or without its timer")
    func gone() throws {
        var node = try running()
        node.send("stop")
        var other = try restarted(node, boot: "another boot")
        #expect(other.state?["undo"] == .null)
        #expect(other.send("undo")?["code"] == "not_allowed")
        node.send("timers", #"{"groups":[{"timers":[{"start":60}]}]}"#)
        #expect(node.state?["undo"] == .null)
        #expect(node.send("undo")?["code"] == "not_allowed")
    }

    @Test("continues with the times that its timer has now")
    func edited() throws {
        var node = try running()
        node.send("stop")
        node.send("edit", #"{"timer":"2/1","warning":45}"#)
        node.send("undo")
        #expect(node.last("mode") == "warning" && node.state?["remaining"] == 40)
        node = try restarted(node)
        #expect(node.last("mode") == "warning", "the saved state is valid")
    }
}
