import FoundationEssentials
import TestSupport
import Testing
import TimerEngine

@testable import TimerProtocol

@Suite("A model as JSON")
struct ModelPayloadTests {
    private func read(_ text: String) throws -> ModelPayload {
        try ModelPayload(ModelDocument(JSON(parsing: Array(text.utf8))), patterns: ["beep"])
    }

    @Test("is readable, has its version, and is the same when it is read back")
    func form() throws {
        let id = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        let timer = TimerItem(
            id: id, name: "Talk", thresholds: try .init(start: 1200, warning: 300, final: 60), location: "Hall")
        let model = try TimerModel(
            groups: [TimerGroup(name: "Morning", transition: "beep", timers: [timer])],
            settings: .init(startTimerImmediately: false))
        let text = String(decoding: model.json(), as: UTF8.self)
        #expect(
            text == #"{"version":2,"settings":{"start_timer_immediately":false},"selected":"1/1","groups":[{"#
                + #""name":"Morning","display":"numerical","alarm":"none","transition":"beep","at_zero":"next","#
                + #""timers":[{"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","name":"Talk","start":1200,"#
                + #""warning":300,"final":60,"location":"Hall"}]}]}"#)
        #expect(try TimerModel.read(Array(text.utf8)) == model)
    }

    @Test("needs only groups, timers and starting times")
    func least() throws {
        let payload = try read(#"{"groups": [{"timers": [{"start": 60}, {"start": 30, "warning": 10}]}]}"#)
        let timers = payload.model.groups.flatMap(\.timers)
        #expect(timers.map(\.thresholds.start) == [60, 30])
        #expect(payload.model.selected == TimerPath(group: 0, item: 0) && !payload.selects)
        #expect(payload.model.settings == TimerModel.Settings())
        #expect(Set(timers.map(\.id)).count == 2)
    }

    @Test("of version 1 is read: it has no settings, and the selection is two numbers from 0")
    func version1() throws {
        let payload = try read(
            """
            {"version": 1, "selected_group": 1, "selected_item": 0,
             "groups": [{"name": "A", "timers": [{"start": 60}]}, {"name": "B", "timers": [{"start": 30, "final": 5}]}]}
            """)
        #expect(payload.model.selected == TimerPath(group: 1, item: 0) && payload.selects)
        #expect(String(decoding: payload.model.json(), as: UTF8.self).hasPrefix(#"{"version":2,"#))
    }

    static let path = "expected the path of one of these timers, such as 1/1"
    static let id = "74696d65-722d-8e6f-8064-650000000101"

    @Test(
        "that is invalid is refused, and the refusal names the position",
        arguments: [
            (#"{"version":3,"groups":[]}"#, #"field "version": found 3, expected a whole number from 1 to 2"#),
            (#"{}"#, #"field "groups" is missing"#),
            (#"{"groups":[]}"#, #"field "groups": found no timer, expected at least one"#),
            (#"{"groups":[{"timers":[]}]}"#, #"field "groups": found no timer, expected at least one"#),
            (#"{"groups":[{}]}"#, "field groups[1].timers is missing"),
            (
                #"{"groups":[{"timers":[{"start":1},{"start":2},{"start":3},{"start":4},{"start":5}]}]}"#,
                "field groups[1].timers: found 5 timers, expected at most 4"
            ),
            (#"{"selected":"1/2","groups":[{"timers":[{"start":1}]}]}"#, #"field "selected": found "1/2", \#(path)"#),
            (#"{"selected":"one","groups":[{"timers":[{"start":1}]}]}"#, #"field "selected": found "one", \#(path)"#),
            (
                #"{"version":1,"settings":{},"groups":[{"timers":[{"start":1}]}]}"#,
                #"unknown field "settings"; known fields: version, selected_group, selected_item, groups"#
            ),
            (
                #"{"groups":[{"timers":[{"start":1,"warn":5}]}]}"#,
                "unknown field groups[1].timers[1].warn; known fields: "
                    + "id, name, start, warning, final, minimum, maximum, event, location, carry, left"
            ),
            (#"{"groups":[{"timers":[{"name":"x"}]}]}"#, "field groups[1].timers[1].start is missing"),
            (
                #"{"groups":[{"timers":[{"start":60,"warning":60}]}]}"#,
                "field groups[1].timers[1].warning: warning 60 is outside 0…59 (below start 60)"
            ),
            (
                #"{"groups":[{"timers":[{"start":60,"minimum":50,"maximum":40}]}]}"#,
                "field groups[1].timers[1].minimum: minimum 50 is above maximum 40"
            ),
            (
                #"{"groups":[{"timers":[{"id":"\#(id)","start":1}]},{"timers":[{"id":"\#(id)","start":1}]}]}"#,
                "field groups[2].timers[1].id: found the id of groups[1].timers[1], expected a unique id"
            ),
            (
                #"{"groups":[{"timers":[]},{"sound":"gong","timers":[{"start":1}]}]}"#,
                #"field groups[2].sound: found "gong", expected beep or none"#
            ),
        ])
    func refused(_ text: String, message: String) {
        let refusal = #expect(throws: Refusal.self) { try read(text) }
        #expect(refusal?.message == message)
    }
}
