import BrokerLink
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("Commands that arrive together")
struct BatchTests {
    private func topics(_ node: Scenario, after count: Int) -> [String] {
        node.publications[count...].map { String($0.topic.dropFirst("timer/lectern/".count)) }
    }

    @Test("publish the model and the state once, before each is answered")
    func edits() throws {
        var node = try Scenario()
        let before = node.publications.count
        let responses = node.sendAtOnce((1...3).map { ("edit", #"{"id":"\#($0)","name":"Talk \#($0)"}"#) })
        #expect(
            topics(node, after: before) == ["timers", "state"] + Array(repeating: "event", count: 3)
                + Array(repeating: "response", count: 3))
        #expect(responses.map { $0["id"] } == ["1", "2", "3"].map(JSON.string))
        #expect(responses.allSatisfy { $0["status"] == .string("ok") })
        #expect(node.last("state")?.contains(#""name":"Talk 3""#) == true)
        #expect(node.last("timers")?.contains(#""name":"Talk 3""#) == true)
    }

    @Test("set the lamps once, before anything is published, and publish each mode in turn")
    func modes() throws {
        var node = try Scenario()
        let before = node.diary.count
        let responses = node.sendAtOnce([("start", ""), ("pause", ""), ("resume", "")])
        let told = node.diary[before...].map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(told.filter { $0.hasPrefix("lamps") } == ["lamps green"])
        #expect(told.first == "lamps green")
        #expect(told.filter { $0.hasPrefix("mode") } == ["mode countdown", "mode paused", "mode countdown"])
        #expect(topics(node, after: 0).count { $0 == "state" } == 2, "once on connecting and once now")
        #expect(responses.map { $0["mode"] } == ["countdown", "paused", "countdown"].map(JSON.string))
    }

    @Test("are each answered once on the next connection if this one is lost at the same moment")
    func lost() throws {
        var node = try Scenario()
        let start = IncomingMessage(topic: "timer/lectern/command/start", payload: Array(#"{"id":"a"}"#.utf8))
        let lateStop = IncomingMessage(topic: "timer/lectern/command/stop", payload: Array(#"{"id":"b"}"#.utf8))
        node.happens(.connection(.message(start)), .connection(.lost(ConnectionError("gone"))))
        node.happens(.connection(.message(lateStop)))
        #expect(!node.publications.contains { $0.topic == "timer/lectern/response" })
        node.wait(.seconds(5))
        node.accept()
        let responses = node.publications.filter { $0.topic == "timer/lectern/response" }
        #expect(try responses.map { try JSON(parsing: $0.payload)["id"] } == ["a", "b"])
        node.lose()
        node.wait(.seconds(5))
        node.accept()
        #expect(node.publications.count { $0.topic == "timer/lectern/response" } == 2)
    }

    @Test("are answered before a goodbye that arrived with them")
    func goodbye() throws {
        var node = try Scenario()
        let pause = IncomingMessage(topic: "timer/lectern/command/start", payload: [])
        node.happens(.connection(.message(pause)), .terminate, .timePassed)
        #expect(node.publications.suffix(2).map(\.topic) == ["timer/lectern/response", "timer/lectern/availability"])
        #expect(node.hasExited)
    }
}
