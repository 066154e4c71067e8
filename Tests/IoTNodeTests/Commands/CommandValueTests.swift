import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A value in a command")
struct CommandValueTests {
    /// A node that runs a timer of two minutes.
    private func node() throws -> Scenario {
        var node = try Scenario(120, 0, 0)
        node.send("start")
        return node
    }

    @Test(
        "that is null counts as absent, in every verb",
        arguments: [
            ("start", #""id":null,"command":null,"timer":null,"duration":null,"warning":null,"name":null"#),
            ("start", #""duration":60,"warning":null,"final":null,"name":null,"timer":null"#),
            ("pause", #""id":null,"command":null"#), ("select", #""timer":"1/1","id":null"#),
            ("set", #""remaining":5,"id":null"#), ("add", #""seconds":5,"id":null"#),
            ("sync", #""remaining":5,"at":"2023-11-14T22:13:20Z","id":null"#), ("beep", #""sound":null"#),
            ("lamp_test", #""force":true,"id":null"#), ("state", #""id":null"#),
            ("edit", #""start":60,"timer":null,"warning":null,"final":null,"name":null,"event":null,"location":null"#),
            ("timers", #""groups":[{"timers":[{"start":5}]}],"id":null,"settings":null,"selected":null"#),
        ])
    func null(verb: String, fields: String) throws {
        var node = try node()
        let response = node.send(verb, "{\(fields)}")
        #expect(response?["status"] == "ok", "\(response?.text ?? "")")
        #expect(response?["id"] == .null)
    }

    @Test(
        "that is required and null is reported as missing, not as of the wrong kind",
        arguments: [
            ("select", #"{"timer":null}"#, #"field "timer" is missing"#),
            ("set", #"{"remaining":null}"#, #"field "remaining" is missing"#),
            ("add", #"{"seconds":null}"#, #"field "seconds" is missing"#),
            ("sync", #"{"remaining":1,"at":null}"#, #"field "at" is missing"#),
            (
                "edit", #"{"start":null}"#,
                "edit needs a field to change: start, warning, final, minimum, maximum, name, event, location"
            ),
            ("timers", #"{"groups":null}"#, #"field "groups" is missing"#),
        ])
    func missing(verb: String, payload: String, message: String) throws {
        var node = try node()
        #expect(node.send(verb, payload)?["message"] == .string(message))
    }

    @Test(
        "that is a time has the same forms in every verb",
        arguments: ["90", "90.0", "9e1", #""90""#, #""1:30""#, #""0:01:30""#, #""90s""#, #""90000ms""#])
    func times(time: String) throws {
        var node = try node()
        #expect(node.send("set", #"{"remaining":\#(time)}"#)?["remaining"] == 90)
        #expect(node.send("add", #"{"seconds":\#(time)}"#)?["remaining"] == 180)
        #expect(node.send("sync", #"{"remaining":\#(time),"at":"2023-11-14T22:13:20Z"}"#)?["remaining"] == 90)
        #expect(node.send("start", #"{"duration":100,"warning":\#(time)}"#)?["status"] == "ok")
        #expect(node.state?["warning"] == 90)
        #expect(node.send("start", #"{"duration":\#(time)}"#)?["remaining"] == 90)
        #expect(node.send("edit", #"{"start":\#(time)}"#)?["status"] == "ok")
        #expect(node.last("timers")?.contains(#""start":90"#) == true)
        node.send("edit", #"{"start":7}"#)
        #expect(node.send("timers", #"{"groups":[{"timers":[{"start":\#(time)}]}]}"#)?["status"] == "ok")
        #expect(node.last("timers")?.contains(#""start":90"#) == true)
    }

    @Test("that is a time is also accepted as a plain payload", arguments: ["90", "90.0", "1:30", "0:01:30", "90s"])
    func plainTimes(time: String) throws {
        var node = try node()
        #expect(node.send("set", time)?["remaining"] == 90)
        #expect(node.send("add", "+" + time)?["remaining"] == 180)
        #expect(node.send("add", "-" + time)?["remaining"] == 90)
        #expect(node.send("add", #"{"seconds":"-\#(time.replacing(".0", with: ""))"}"#)?["status"] == "ok")
    }

    @Test(
        "that is not a time is reported as such",
        arguments: ["1.5", "1e400", #""1:5""#, #""soon""#, #""""#, "true", "[]", "{}", #""500ms""#, #""--5""#, "1e300"])
    func noTimes(time: String) throws {
        var node = try node()
        for (verb, field) in [("set", "remaining"), ("add", "seconds"), ("start", "duration"), ("edit", "start")] {
            let response = node.send(verb, #"{"\#(field)":\#(time)}"#)
            #expect(response?["code"] == "invalid_payload", "\(verb) \(time)")
        }
        #expect(node.state?["remaining"] == 120)
    }

    @Test(
        "that other values depend on is reported as missing",
        arguments: [
            #"{"warning":20}"#, #"{"final":"0:10"}"#, #"{"name":"Guest"}"#, #"{"timer":null,"warning":20}"#,
        ])
    func durationMissing(payload: String) throws {
        var node = try node()
        let message = #"field "duration" or "until" is missing: warning, final and name require it"#
        #expect(node.send("start", payload)?["message"] == .string(message))
        #expect(node.send("start", #"{"timer":"1/1","warning":20}"#)?["code"] == "invalid_payload")
    }

    @Test("that is a name must not be empty, as in the configuration", arguments: ["edit", "start"])
    func emptyName(verb: String) throws {
        var node = try node()
        let payload = verb == "edit" ? #"{"name":""}"# : #"{"duration":60,"name":""}"#
        let response = node.send(verb, payload)
        #expect(
            response?["message"]
                == #"field "name": found "", expected a string of 1 to 128 bytes without control characters"#)
        #expect(node.state?["timer"]?["name"] == "Talk")
        #expect(node.send("edit", #"{"event":"Spring"}"#)?["status"] == "ok")
        #expect(node.send("edit", #"{"event":""}"#)?["status"] == "ok", "an event may be removed")
        #expect(node.state?["timer"]?["event"] == .null)
    }

    @Test(
        "that is a control character is named as such",
        arguments: [
            ("edit", #"{"name":"a\u0007b"}"#, "(U+0007)"), ("edit", #"{"name":"a\u009bb"}"#, "(U+009B)"),
            ("edit", "{\"name\":\"a\nb\"}", "(U+000A)"), ("edit", "{\u{1}}", "(U+0001)"),
            ("pause", "{\"a\":\u{7f}}", "(U+007F)"),
            ("set", "{\"remaining\":5\u{0}}", "(U+0000)"), ("set", "5\u{0}", "(U+0000)"),
        ])
    func controlCharacters(verb: String, payload: String, name: String) throws {
        var node = try node()
        let message = node.send(verb, payload)?["message"]?.text ?? ""
        #expect(message.contains("a control character \(name)"), "\(message)")
        #expect(!node.logs.contains { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } })
    }

    @Test("that is another character is shown as it is", arguments: ["é", "€", "🙂"])
    func otherCharacters(character: String) throws {
        var node = try node()
        #expect(node.send("pause", "{\(character)}")?["message"]?.text.contains("found '\(character)'") == true)
        #expect(node.send("pause", "{\"\\\(character)\"}")?["message"]?.text.contains("found '\(character)'") == true)
    }

    @Test("that is a revision begins again with the process")
    func revision() throws {
        let keep = { (configuration: inout NodeConfiguration) in configuration.storage = .init(directory: "/nowhere") }
        var node = try Scenario(120, 0, 0, configure: keep)
        node.send("start")
        node.send("pause")
        #expect(node.state?["revision"] == 3)
        let next = try Scenario(120, 0, 0, saved: node.saved.last, configure: keep)
        #expect(next.state?["mode"] == "paused")
        #expect(next.state?["revision"] == 1)
    }
}
