import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A command with an id")
struct CommandRepeatTests {
    @Test("that arrives twice with its id is executed once, and receives the same answer")
    func repeats() throws {
        var node = try Scenario()
        node.send("toggle", #"{"id":"1"}"#)
        node.wait(.milliseconds(9999))
        let again = node.send("toggle", #"{"id":"1"}"#)
        #expect(again?["duplicate"] == true)
        #expect(again?["mode"] == "countdown")
        #expect(node.last("mode") == "alarm")
        node.wait(.milliseconds(1))
        #expect(node.send("toggle", #"{"id":"1"}"#)?["duplicate"] == nil, "ten seconds later it is a new command")
        #expect(node.last("mode") == "countdown")
    }

    @Test(
        "that is refused also counts as a repeat the second time",
        arguments: [
            ("resume", #"{"id":"1"}"#, "not_allowed"), ("set", #"{"id":"1","remaining":"soon"}"#, "invalid_payload"),
            ("pause", #"{"id":"1","at":1}"#, "invalid_payload"), ("dance", #"{"id":"1"}"#, "unknown_command"),
        ])
    func refusedRepeats(verb: String, payload: String, code: String) throws {
        var node = try Scenario()
        let first = node.send(verb, payload)
        #expect(first?["code"] == .string(code))
        #expect(first?["duplicate"] == nil)
        let (logs, again) = (node.logs.count, node.send(verb, payload))
        #expect(again?["duplicate"] == true)
        #expect(again?["code"] == .string(code))
        #expect(node.logs.count == logs)
    }

    @Test("that was retained is never a repeat, and is never repeated")
    func retainedRepeats() throws {
        var node = try Scenario()
        let send = { (retained: Bool) in
            node.send(topic: "timer/lectern/command/toggle", Array(#"{"id":"1"}"#.utf8), retained: retained)
        }
        #expect(send(true)?["code"] == "retained")
        #expect(send(false)?["mode"] == "countdown")
        #expect(send(true)?["code"] == "retained")
        #expect(send(false)?["duplicate"] == true)
    }

    @Test(
        "may have an id of 128 bytes",
        arguments: [(String(repeating: "é", count: 64), true), ("é" + String(repeating: "x", count: 127), false)])
    func longID(id: String, isTaken: Bool) throws {
        var node = try Scenario()
        let response = node.send("start", #"{"id":"\#(id)"}"#)
        #expect(response?["status"] == (isTaken ? "ok" : "error"))
        #expect(response?["id"] == (isTaken ? .string(id) : .null))
    }

    @Test("with the same payload on another topic is a different command: this node's, all, a group's")
    func otherTopic() throws {
        var node = try Scenario(60, 0, 0)
        let edit = #"{"id":"1","name":"Speech"}"#
        #expect(node.send("edit", edit, to: "all")?["code"] == "not_allowed")
        #expect(node.send("edit", edit)?["status"] == "ok")
        #expect(node.state?["timer"]?["name"] == "Speech")
        #expect(node.send("edit", edit)?["duplicate"] == true)
        #expect(node.send("edit", edit, to: "all")?["duplicate"] == true)
        #expect(node.send("edit", edit, to: "all")?["code"] == "not_allowed")
        #expect(node.send("edit", edit, to: "@hall-a")?["duplicate"] == nil)
    }

    @Test("with the same id but another verb or payload is a different command")
    func noRepeat() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start", #"{"id":"1"}"#)
        #expect(node.send("pause", #"{"id":"1"}"#)?["mode"] == "paused")
        #expect(node.send("set", #"{"id":"1","remaining":5}"#)?["remaining"] == 5)
        #expect(node.send("set", #"{"id":"1","remaining":6}"#)?["remaining"] == 6)
    }
}
