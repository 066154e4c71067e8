import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The command timers")
struct TimersCommandTests {
    private static let time = #"whole seconds or a time such as "1:30""#
    private static let text = "a string of at most 128 bytes without control characters"

    @Test(
        "reports group, timer and field, with the found and the allowed values",
        arguments: [
            (#"{}"#, #"field "groups" is missing"#),
            (#"{"groups":1}"#, #"field "groups": found 1, expected an array"#),
            (#"{"groups":[]}"#, #"field "groups": found no timer, expected at least one"#),
            (#"{"groups":[{"timers":[]},{"timers":[]}]}"#, #"field "groups": found no timer, expected at least one"#),
            (#"{"groups":[1]}"#, "field groups[1]: found 1, expected an object"),
            (#"{"groups":[{"timers":[{"start":1}]},null]}"#, "field groups[2]: found null, expected an object"),
            (#"{"groups":[{}]}"#, "field groups[1].timers is missing"),
            (#"{"groups":[{"timers":{}}]}"#, "field groups[1].timers: found an object, expected an array"),
            (#"{"groups":[{"timers":["x"]}]}"#, #"field groups[1].timers[1]: found "x", expected an object"#),
            (
                #"{"groups":[{"timers":[{"start":1},{"start":1},{"start":1},{"start":1},{"start":1}]}]}"#,
                "field groups[1].timers: found 5 timers, expected at most 4"
            ),
            (#"{"groups":[{"timers":[{"start":1}]},{"timers":[{}]}]}"#, "field groups[2].timers[1].start is missing"),
            (
                #"{"groups":[{"timers":[{"start":5.5}]}]}"#,
                "field groups[1].timers[1].start: found 5.5, expected \(time)"
            ),
            (
                #"{"groups":[{"timers":[{"start":9}]},{"timers":[{"start":9},{"start":5.5}]}]}"#,
                "field groups[2].timers[2].start: found 5.5, expected \(time)"
            ),
            (
                #"{"groups":[{"timers":[{"start":"x"}]}]}"#,
                #"field groups[1].timers[1].start: found "x", expected \#(time)"#
            ),
            (
                #"{"groups":[{"timers":[{"start":"1500ms"}]}]}"#,
                #"field groups[1].timers[1].start: found "1500ms", expected \#(time)"#
            ),
            (
                #"{"groups":[{"timers":[{"start":86400}]}]}"#,
                "field groups[1].timers[1].start: start 86400 is outside 0…86399"
            ),
            (
                #"{"groups":[{"timers":[{"start":5,"warning":5}]}]}"#,
                "field groups[1].timers[1].warning: warning 5 is outside 0…4 (below start 5)"
            ),
            (
                #"{"groups":[{"timers":[{"start":9,"warning":5,"final":-1}]}]}"#,
                "field groups[1].timers[1].final: final -1 is outside 0…4 (below warning 5)"
            ),
            (
                #"{"groups":[{"timers":[{"start":5,"colour":"red"}]}]}"#,
                "unknown field groups[1].timers[1].colour; known fields: id, name, start, "
                    + "warning, final, minimum, maximum, event, location, carry, left"
            ),
            (
                #"{"groups":[{"timers":[{"start":5,"name":1}]}]}"#,
                "field groups[1].timers[1].name: found 1, expected \(text)"
            ),
            (
                #"{"groups":[{"timers":[{"start":5,"location":"\u001b[2J"}]}]}"#,
                "field groups[1].timers[1].location: found a control character (U+001B), expected \(text)"
            ),
            (
                #"{"groups":[{"timers":[{"start":5,"id":"x"}]}]}"#,
                #"field groups[1].timers[1].id: found "x", expected a UUID such as 74696d65-722d-8e6f-8064-650000000101"#
            ),
            (
                """
                {"groups":[{"timers":[{"start":5,"id":"74696d65-722d-8e6f-8064-650000000101"}]},
                           {"timers":[{"start":5,"id":"74696D65-722D-8E6F-8064-650000000101"}]}]}
                """,
                "field groups[2].timers[1].id: found the id of groups[1].timers[1], expected a unique id"
            ),
            (
                #"{"groups":[{"alarm":"x","timers":[{"start":5}]}]}"#,
                #"field groups[1].alarm: found "x", expected none, sound, vibrate or soundVibrate"#
            ),
            (
                #"{"groups":[{"display":1,"timers":[{"start":5}]}]}"#,
                "field groups[1].display: found 1, expected numerical, circular or stoplights"
            ),
            (
                #"{"groups":[{"at_zero":"stop","timers":[{"start":5}]}]}"#,
                #"field groups[1].at_zero: found "stop", expected next or alarm"#
            ),
            (
                #"{"groups":[{"timers":[]},{"sound":"chirp","timers":[{"start":5}]}]}"#,
                #"field groups[2].sound: found "chirp", expected alarm, beep, double, long, triple or none"#
            ),
            (
                #"{"groups":[{"sounds":"beep","timers":[{"start":5}]}]}"#,
                "unknown field groups[1].sounds; known fields: name, display, alarm, sound, transition, at_zero, budget, "
                    + "timers"
            ),
            (
                #"{"groups":[{"timers":[{"start":5}]}],"settings":{"start_timer_immediately":1}}"#,
                "field settings.start_timer_immediately: found 1, expected true or false"
            ),
            (
                #"{"groups":[{"timers":[{"start":5}]}],"settings":[]}"#,
                #"field "settings": found an array, expected an object"#
            ),
            (
                #"{"groups":[{"timers":[{"start":5}]}],"selected":"1"}"#,
                #"field "selected": found "1", expected the path of one of these timers, such as 1/1"#
            ),
            (
                #"{"groups":[{"timers":[]},{"timers":[{"start":5}]}],"selected":"1/1"}"#,
                #"field "selected": found "1/1", expected the path of one of these timers, such as 2/1"#
            ),
            (
                #"{"groups":[{"timers":[{"start":1},{"start":1,"start":2}]}]}"#,
                #"duplicate key "start" in groups[1].timers[2]"#
            ),
            (#"{"groups":[],"groups":[]}"#, #"duplicate key "groups""#),
            (#"{"groups":[],"version":9}"#, #"field "version": found 9, expected a whole number from 1 to 2"#),
            (
                #"{"groups":[{"timers":[{"start":5}]}],"colour":1}"#,
                #"unknown field "colour"; known fields: version, settings, selected, groups"#
            ),
        ])
    func faults(payload: String, message: String) throws {
        var node = try Scenario()
        let before = (node.last("timers"), node.state)
        let response = node.send("timers", payload)
        #expect(response?["code"] == "invalid_payload")
        #expect(response?["message"] == .string(message))
        #expect((node.last("timers"), node.state) == before)
    }

    @Test("drops empty groups, wherever they are, but counts them in a selection")
    func emptyGroups() throws {
        var node = try Scenario()
        let full = #"{"name":"Full","timers":[{"start":5},{"start":6}]}"#
        #expect(node.send("timers", #"{"groups":[{"timers":[]},\#(full),{"timers":[]}]}"#)?["status"] == "ok")
        #expect(node.state?["timer"]?["path"] == "1/1")
        #expect(node.state?["group"]?["name"] == "Full")
        let selected = node.send("timers", #"{"groups":[{"timers":[]},\#(full)],"selected":"2/2"}"#)
        #expect(selected?["status"] == "ok")
        #expect(node.state?["timer"]?["path"] == "1/2")
        #expect(node.state?["start"] == 6)
    }

    @Test(
        "treats null as an absent field",
        arguments: ["version", "settings", "selected"] + ["name", "sound", "transition", "display", "alarm", "at_zero"]
            + ["id", "event", "location", "warning", "final"])
    func nulls(field: String) throws {
        var node = try Scenario()
        let (model, group) = (
            ["version", "settings", "selected"], ["name", "sound", "transition", "display", "alarm"]
        )
        let null = { (fields: [String]) in fields.contains(field) ? ",\"\(field)\":null" : "" }
        let timers = #"{"start":7\#(null(["id", "event", "location", "warning", "final"]))}"#
        let payload = #"{"groups":[{"timers":[\#(timers)]\#(null(group + ["at_zero"]))}]\#(null(model))}"#
        #expect(payload.contains("null"))
        #expect(node.send("timers", payload)?["status"] == "ok")
        #expect(node.state?["start"] == 7)
    }

    @Test("keeps the selection if it is null")
    func nullSelection() throws {
        var node = try Scenario { $0.timers = (try? .init(groups: Self.two)) ?? $0.timers }
        node.send("select", "1/2")
        let timers = try #require(node.last("timers")).replacing(#"{"groups""#, with: #"{"selected":null,"groups""#)
        #expect(node.send("timers", timers)?["status"] == "ok")
        #expect(node.state?["timer"]?["path"] == "1/2")
    }

    private static let two = [
        TimerGroup(timers: [
            TimerItem(thresholds: .zero.setting(start: 5)), TimerItem(thresholds: .zero.setting(start: 6)),
        ])
    ]

    @Test("accepts a model of the first version, with its selection from 0")
    func version1() throws {
        var node = try Scenario()
        let payload = #"{"version":1,"selected_item":1,"groups":[{"timers":[{"start":5},{"start":6}]}]}"#
        #expect(node.send("timers", payload)?["status"] == "ok")
        #expect(node.state?["timer"]?["path"] == "1/2")
    }
}
