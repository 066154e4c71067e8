import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

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

    @Test("is answered with its id, its name, the mode and the remaining time")
    func response() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        node.wait(.milliseconds(17_500))
        #expect(
            node.send("pause", #"{"id":"b7"}"#)?.text
                == #"{"id":"b7","command":"pause","status":"ok","mode":"paused","remaining":43}"#)
    }

    @Test(
        "without an argument accepts the payloads that buttons and switches send",
        arguments: ["", " ", "PRESS", "ON", "true", "{}", #"{"id":"x"}"#, #"{"command":"start"}"#])
    func emptyPayloads(payload: String) throws {
        var node = try Scenario()
        #expect(node.send("start", payload)?["status"] == "ok")
        #expect(node.last("mode") == "countdown")
        #expect(node.send("pause", payload.replacing("start", with: "pause"))?["status"] == "ok")
        #expect(node.last("mode") == "paused")
    }

    @Test("is named in the payload on the topic without a verb")
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

    @Test("that edits is refused if sent to all or to groups", arguments: ["all", "@hall-a"], ["edit", "timers"])
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
        #expect(node.send(verb, payload)?["status"] == "ok", "the node accepts it under its own name")
    }

    @Test("selects a timer by its path and by a name of maximum length", arguments: [true, false])
    func longestName(isPlain: Bool) throws {
        let name = String(repeating: "a", count: 128)
        var node = try Scenario { configuration in
            let group = TimerGroup(name: "Talks", timers: [TimerItem(name: "Talk"), TimerItem(name: name)])
            configuration.timers = (try? .init(groups: [group])) ?? configuration.timers
        }
        node.send("select", isPlain ? "1/2 \(name)" : "{\"timer\":\"1/2 \(name)\"}")
        #expect(node.state?["timer"]?["path"] == "1/2")
    }

    @Test(
        "with an invalid payload reports what was found and changes nothing",
        arguments: [
            (
                "start", #"{"timer":1}"#,
                #"field "timer": found 1, expected a string of at most 144 bytes without control characters"#
            ),
            ("pause", "now", #"pause takes no argument; found "now""#),
            ("pause", #"{"at":1}"#, #"unknown field "at"; known fields: id, command"#),
            (
                "pause", #"{"id":1}"#,
                #"field "id": found 1, expected a string of at most 128 bytes without control characters"#
            ),
            ("pause", #"{"command":"stop"}"#, #"field "command": found "stop" on the topic for "pause""#),
            ("set", "soon", #"found "soon", expected a time such as 90 or 1:30"#),
            ("set", "7", "found 7 s, expected 0 to 6, the start of this timer"),
            ("set", "{}", #"field "remaining" is missing"#),
            ("sync", "3", "sync needs a JSON object"),
            (
                "sync", #"{"remaining":3,"at":"noon"}"#,
                #"field "at": found "noon", expected an RFC 3339 date such as 2026-11-20T12:00:00Z"#
            ),
            ("select", "", "select needs a timer, such as 2/1"),
            (
                "edit", "{}",
                "edit needs a field to change: start, warning, final, minimum, maximum, name, event, location"
            ),
            (
                "start", #"{"duration":5,"name":"x\rWATCHDOG=trigger"}"#,
                #"field "name": found a control character (U+000D), expected a string of 1 to 128 bytes without control characters"#
            ),
            (
                "edit", #"{"location":"\u001b[2J"}"#,
                #"field "location": found a control character (U+001B), expected a string of at most 128 bytes without control characters"#
            ),
            (
                "edit", #"{"event":"\#(String(repeating: "x", count: 129))"}"#,
                #"field "event": found 129 bytes, expected a string of at most 128 bytes without control characters"#
            ),
            (
                "timers", #"{"groups":[{"name":"a\nb","timers":[{"start":1}]}]}"#,
                "field groups[1].name: found a control character (U+000A), expected a string of at most 128 bytes without "
                    + "control characters"
            ),
            ("start", #"{"duration":5,"warning":5}"#, "warning 5 is outside 0…4 (below start 5)"),
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

    @Test("that does not exist is refused with a list of the existing ones")
    func unknown() throws {
        var node = try Scenario()
        let response = node.send("explode")
        #expect(response?["code"] == "unknown_command")
        #expect(response?.text.contains("start, pause, resume") == true)
    }

    @Test(
        "that is too large is refused: over 4 KiB, over 64 KiB for three verbs, even if the payload names the verb",
        arguments: [
            ("/start", "", 4096, "invalid_payload"), ("/start", "", 4097, "payload_too_large"),
            ("/dance", "", 4096, "unknown_command"), ("/dance", "", 4097, "payload_too_large"),
            ("/timers", "", 65_536, "invalid_payload"), ("/timers", "", 65_537, "payload_too_large"),
            ("/agenda", "", 65_536, "invalid_payload"), ("/agenda", "", 65_537, "payload_too_large"),
            ("/programme", "", 65_536, "invalid_payload"), ("/programme", "", 65_537, "payload_too_large"),
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

    @Test("is also answered on its MQTT 5 response topic, with its correlation data")
    func responseTopic() throws {
        var node = try Scenario()
        node.send(topic: "timer/lectern/command/start", [], responseTopic: "me/answers")
        let answer = try #require(node.publications.last { $0.topic == "me/answers" })
        #expect(answer.correlationData == Array("me/answers".utf8))
        #expect(answer.text == node.last("response"))
    }
}
