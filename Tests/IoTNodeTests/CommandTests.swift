import Testing
import TimerEngine

@testable import IoTNode

@Suite("A command")
struct CommandTests {
    @Test(
        "is refused in a mode that does not allow it, with the mode in the message",
        arguments: [
            ("pause", "pause needs a running timer; this one is stopped"),
            ("resume", "resume needs a paused timer; this one is stopped"),
            ("add", "add needs a running, paused or alarmed timer; this one is stopped"),
        ])
    func notAllowed(verb: String, message: String) throws {
        var node = try Scenario()
        let before = node.state
        let response = node.send(verb, verb == "add" ? "30" : "")
        #expect(response?["status"] == "error")
        #expect(response?["code"] == "not_allowed")
        #expect(response?["message"] == .string(message))
        #expect(node.state == before, "nothing changed")
        #expect(node.logs.last?.contains(message) == true)
    }

    @Test("is answered with its id, its name, the mode and what is left")
    func response() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        node.wait(.milliseconds(17_500))
        #expect(
            node.send("pause", #"{"id":"b7"}"#)?.text
                == #"{"id":"b7","command":"pause","status":"ok","mode":"paused","remaining":43}"#)
    }

    @Test(
        "that takes nothing takes what buttons and switches send",
        arguments: ["", " ", "PRESS", "ON", "true", "{}", #"{"id":"x"}"#, #"{"command":"start"}"#])
    func emptyPayloads(payload: String) throws {
        var node = try Scenario()
        #expect(node.send("start", payload)?["status"] == "ok")
        #expect(node.last("mode") == "countdown")
        #expect(node.send("pause", payload.replacing("start", with: "pause"))?["status"] == "ok")
        #expect(node.last("mode") == "paused")
    }

    @Test("names itself in the payload on the topic without a verb")
    func commandTopic() throws {
        var node = try Scenario()
        #expect(
            node.send(topic: "timer/lectern/command", Array(#"{"command":"start"}"#.utf8))?["status"] == "ok")
        #expect(node.last("mode") == "countdown")
    }

    @Test("reaches the node under its own name, all, and each of its groups", arguments: ["lectern", "all", "@hall-a"])
    func scopes(recipient: String) throws {
        var node = try Scenario()
        node.send("start", to: recipient)
        #expect(node.last("mode") == "countdown")
    }

    @Test("that edits is refused under all and groups", arguments: ["all", "@hall-a"], ["edit", "timers"])
    func broadcastEdits(recipient: String, verb: String) throws {
        var node = try Scenario()
        let before = node.last("timers")
        let payload =
            verb == "edit" ? #"{"start":10}"# : try #require(before).replacing(#""start":6"#, with: #""start":9"#)
        #expect(node.send(verb, payload, to: recipient)?["code"] == "not_allowed")
        let named = #"{"command":"\#(verb)","# + payload.dropFirst()
        let response = node.send(topic: "timer/\(recipient)/command", Array(named.utf8))
        #expect(response?["code"] == "not_allowed")
        #expect(node.last("timers") == before)
        #expect(node.send(verb, payload)?["status"] == "ok", "the node itself takes it")
    }

    @Test(
        "with a payload that is not understood says what was found and changes nothing",
        arguments: [
            ("start", #"{"timer":1}"#, #"field "timer": found 1, expected a string"#),
            ("pause", "now", #"pause takes nothing; found "now""#),
            ("pause", #"{"at":1}"#, #"unknown field "at"; the known ones are id, command"#),
            ("pause", #"{"id":1}"#, #"field "id": found 1, expected a string"#),
            ("pause", #"{"command":"stop"}"#, #"field "command": found "stop" on the topic of "pause""#),
            ("set", "soon", #"found "soon", expected a time such as 90 or 1:30"#),
            ("set", "7", "found 7 s, expected 0 to 6, where this timer starts"),
            ("set", "{}", #"field "remaining" is missing"#),
            ("sync", "3", "sync needs a JSON object"),
            (
                "sync", #"{"remaining":3,"at":"noon"}"#,
                #"field "at": found "noon", expected a date as RFC 3339 has it, 2026-11-20T12:00:00Z"#
            ),
            ("select", "", "select needs a timer, such as 2/1"),
            ("edit", "{}", "edit needs a field to change: start, warning, final, name, event, location"),
            ("start", #"{"duration":5,"warning":5}"#, "warning 5 is not within 0…4, below start 5"),
            ("pause", #"{"a":1,"a":1}"#, #"duplicate key "a""#),
            ("pause", "{", "not JSON: found the end at byte 2, expected a key in quotes"),
        ])
    func invalidPayload(verb: String, payload: String, message: String) throws {
        var node = try Scenario()
        node.send("start")
        let before = node.state
        let response = node.send(verb, payload)
        #expect(response?["code"] == "invalid_payload")
        #expect(response?["message"] == .string(message))
        #expect(node.state == before)
    }

    @Test("that is not UTF-8, or has a NUL, is refused", arguments: [[0xFF, 0xFE], [0x41, 0x00]])
    func garbage(payload: [UInt8]) throws {
        var node = try Scenario()
        #expect(node.send(topic: "timer/lectern/command/start", payload)?["code"] == "invalid_payload")
        #expect(node.last("mode") == "stopped")
    }

    @Test("that there is not is refused with a list of those that there are")
    func unknown() throws {
        var node = try Scenario()
        let response = node.send("explode")
        #expect(response?["code"] == "unknown_command")
        #expect(response?.text.contains("start, pause, resume") == true)
    }

    @Test(
        "that is too large is refused: over 4 KiB, over 64 KiB for timers, also where the payload names the verb",
        arguments: [
            ("/start", "", 4096, "invalid_payload"), ("/start", "", 4097, "payload_too_large"),
            ("/dance", "", 4096, "unknown_command"), ("/dance", "", 4097, "payload_too_large"),
            ("/timers", "", 65_536, "invalid_payload"), ("/timers", "", 65_537, "payload_too_large"),
            ("", #""command":"start","#, 4096, "invalid_payload"),
            ("", #""command":"start","#, 4097, "payload_too_large"),
            ("", #""command":"timers","#, 65_536, "invalid_payload"),
            ("", #""command":"timers","#, 65_537, "payload_too_large"),
        ])
    func tooLarge(topic: String, command: String, bytes: Int, code: String) throws {
        var node = try Scenario()
        let (start, end) = ("{\(command)\"x\":\"", "\"}")
        let payload = start + String(repeating: "x", count: bytes - start.utf8.count - end.utf8.count) + end
        let response = node.send(topic: "timer/lectern/command\(topic)", Array(payload.utf8))
        #expect(response?["code"] == .string(code))
        #expect(node.last("mode") == "stopped")
    }

    @Test("that was retained is refused: it would start the timer at every reconnect")
    func retained() throws {
        var node = try Scenario()
        let response = node.send(topic: "timer/lectern/command/start", [], retained: true)
        #expect(response?["code"] == "retained")
        #expect(node.last("mode") == "stopped")
    }

    @Test("that comes twice with its id is carried out once, and answered as the first time")
    func repeats() throws {
        var node = try Scenario()
        node.send("toggle", #"{"id":"1"}"#)
        node.wait(.milliseconds(9999))
        let again = node.send("toggle", #"{"id":"1"}"#)
        #expect(again?["duplicate"] == true)
        #expect(again?["mode"] == "countdown")
        #expect(node.last("mode") == "alarm")
        node.wait(.milliseconds(1))
        #expect(node.send("toggle", #"{"id":"1"}"#)?["duplicate"] == nil, "ten seconds later it is a new one")
        #expect(node.last("mode") == "countdown")
    }

    @Test(
        "that is refused is a repeat the second time, too",
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

    @Test("that was retained repeats none, and none repeats it")
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

    @Test("with the same id but another verb or payload is another command")
    func noRepeat() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start", #"{"id":"1"}"#)
        #expect(node.send("pause", #"{"id":"1"}"#)?["mode"] == "paused")
        #expect(node.send("set", #"{"id":"1","remaining":5}"#)?["remaining"] == 5)
        #expect(node.send("set", #"{"id":"1","remaining":6}"#)?["remaining"] == 6)
    }

    @Test("is answered on its MQTT 5 response topic too, with its correlation data")
    func responseTopic() throws {
        var node = try Scenario()
        node.send(topic: "timer/lectern/command/start", [], responseTopic: "me/answers")
        let answer = try #require(node.publications.last { $0.topic == "me/answers" })
        #expect(answer.correlationData == Array("me/answers".utf8))
        #expect(answer.text == node.last("response"))
    }

    @Test("in a flood is refused, and one refusal a second is answered, but stopping gets through")
    func rateLimit() throws {
        var node = try Scenario(60, 0, 0)
        for _ in 0..<100 { #expect(node.send("start")?["status"] == "ok") }
        #expect(node.send("start")?["code"] == "rate_limited")
        for _ in 0..<50 { #expect(node.send("start") == nil) }
        #expect(node.send("stop")?["status"] == "ok")
        #expect(node.last("mode") == "stopped")
        node.wait(.seconds(1))
        for _ in 0..<50 { #expect(node.send("start")?["status"] == "ok") }
        #expect(node.send("start")?["code"] == "rate_limited")
    }

    @Test(
        "that stops has an allowance of its own, which has an end too", arguments: ["stop", "pause", "end", "silence"])
    func stopping(verb: String) throws {
        var node = try Scenario(60, 0, 0) { $0.mqtt?.commandRate = 2 }
        for _ in 0..<20 { node.send("start") }
        node.wait(.milliseconds(499))
        for _ in 0..<4 {
            let response = node.send(verb)
            #expect(response != nil && response?["code"] != "rate_limited")
        }
        // One refusal a second is answered, and this second's has been.
        let response = node.send(verb)
        #expect(response == nil)
        // And it has taken nothing from the others.
        node.wait(.milliseconds(1))
        #expect(node.send("start")?["status"] == "ok")
    }

    @Test("that is refused is one line of the log, and many are few: five at once, then one a second")
    func log() throws {
        var node = try Scenario { $0.mqtt?.commandRate = 0 }
        var before = node.logs.count
        node.send("dance")
        #expect(node.logs.count == before + 1)
        #expect(node.logs.last?.hasPrefix("refused timer/lectern/command/dance: unknown_command: ") == true)
        for _ in 0..<100 { #expect(node.send("dance")?["code"] == "unknown_command", "each is answered") }
        #expect(node.logs.count == before + 5)
        before = node.logs.count
        for _ in 0..<105 {
            node.wait(.milliseconds(100))
            node.send("dance")
        }
        #expect(node.logs.count == before + 10)
    }

    @Test("is not limited where the configuration says so")
    func noLimit() throws {
        var node = try Scenario { $0.mqtt?.commandRate = 0 }
        for _ in 0..<1000 { #expect(node.send("start")?["status"] == "ok") }
    }
}
