import FoundationEssentials
import Testing
import TimerEngine

@Suite("The model as JSON")
struct TimerModelCodingTests {
    private func decode(_ text: String) throws -> TimerModel {
        try JSONDecoder().decode(TimerModel.self, from: Data(text.utf8))
    }

    @Test("comes back as it was")
    func roundTrip() throws {
        var model = try matrix(3, 1, 4)
        try model.select(path("3/2"))
        try model.edit(path("3/2")) { ($0.event, $0.location) = ("Keynote", "Hall \"A\" – ü") }
        try model.editGroup(1) { group in
            (group.display, group.alarm, group.sound) = (.stoplights, .soundVibrate, "triple")
            (group.transition, group.atZero) = ("beep", .alarm)
        }
        model.settings.startTimerImmediately = false
        let data = try JSONEncoder().encode(model)
        #expect(try JSONDecoder().decode(TimerModel.self, from: data) == model)
    }

    @Test("has a form for people, with its version")
    func form() throws {
        let id = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        let timer = TimerItem(id: id, name: "Talk", thresholds: try times(1200, 300, 60), location: "Hall")
        let model = try TimerModel(groups: [TimerGroup(name: "Morning", transition: "beep", timers: [timer])])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(
            String(decoding: try encoder.encode(model), as: UTF8.self)
                == #"{"groups":[{"alarm":"none","at_zero":"next","display":"numerical","name":"Morning","timers":"#
                + #"[{"final":60,"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","location":"Hall","name":"Talk","#
                + #""start":1200,"warning":300}],"transition":"beep"}],"selected":"1/1","#
                + #""settings":{"start_timer_immediately":true},"version":2}"#)
    }

    @Test("needs no more than groups, timers and starting times")
    func least() throws {
        let model = try decode(#"{"groups": [{"timers": [{"start": 60}, {"start": 30, "warning": 10}]}]}"#)
        #expect(model.starts == [[60, 30]])
        #expect(model.selected == TimerPath(group: 0, item: 0))
        #expect(model.settings == TimerModel.Settings())
        #expect(Set(model.groups[0].timers.map(\.id)).count == 2)
    }

    @Test("version 1 is read: no settings, the selection as two numbers from 0")
    func version1() throws {
        let model = try decode(
            """
            {"version": 1, "selected_group": 1, "selected_item": 0,
             "groups": [{"name": "A", "timers": [{"start": 60}]}, {"name": "B", "timers": [{"start": 30, "final": 5}]}]}
            """)
        #expect(model.starts == [[60], [30]])
        #expect(model.selected == TimerPath(group: 1, item: 0))
        #expect(model.settings == TimerModel.Settings())
        let rewritten = try JSONEncoder().encode(model)
        #expect(String(decoding: rewritten, as: UTF8.self).contains(#""version":2"#))
        #expect(try JSONDecoder().decode(TimerModel.self, from: rewritten) == model)
    }

    @Test(
        "nonsense is refused with a typed error",
        arguments: [
            (#"{"version": 3, "groups": [{"timers": [{"start": 60}]}]}"#, ModelError.unknownVersion(3)),
            (#"{"version": 0, "groups": [{"timers": [{"start": 60}]}]}"#, .unknownVersion(0)),
            (#"{"groups": []}"#, .lastTimer), (#"{"groups": [{"timers": []}]}"#, .lastTimer),
            (
                #"{"groups": [{"timers": [{"start":1},{"start":2},{"start":3},{"start":4},{"start":5}]}]}"#,
                .groupFull(0, count: 5)
            ),
            (
                #"{"selected": "1/2", "groups": [{"timers": [{"start": 60}]}]}"#,
                .noTimer(at: TimerPath(group: 0, item: 1))
            ),
            (#"{"selected": "one", "groups": [{"timers": [{"start": 60}]}]}"#, .notAPath("one")),
            (
                #"{"version": 1, "selected_group": 9223372036854775807, "groups": [{"timers": [{"start": 60}]}]}"#,
                .noTimer(at: TimerPath(group: .max, item: 0))
            ),
            (#"{"version": 1, "settings": {}, "groups": [{"timers": [{"start": 60}]}]}"#, .unknownField("settings")),
            (#"{"grops": [], "groups": [{"timers": [{"start": 60}]}]}"#, .unknownField("grops")),
            (#"{"groups": [{"nme": "A", "timers": [{"start": 60}]}]}"#, .unknownField("groups.[0].nme")),
            (#"{"settings": {"x": 1}, "groups": [{"timers": [{"start": 60}]}]}"#, .unknownField("settings.x")),
        ])
    func refused(_ text: String, error: ModelError) {
        #expect(throws: error) { try decode(text) }
    }

    @Test("an unknown field of a timer is named with where it is")
    func unknownField() {
        let error = #expect(throws: ModelError.self) {
            try decode(#"{"groups": [{"timers": [{"start": 60}, {"start": 60, "warn": 5}]}]}"#)
        }
        #expect(error == .unknownField("groups.[0].timers.[1].warn"))
    }

    @Test("two timers of one id are refused")
    func twins() throws {
        let id = UUID()
        let timer = #"{"id": "\#(id)", "start": 60}"#
        #expect(throws: ModelError.duplicateID(id)) {
            try decode(#"{"groups": [{"timers": [\#(timer)]}, {"timers": [\#(timer)]}]}"#)
        }
    }

    @Test(
        "bad thresholds are refused with their numbers",
        arguments: [(60, 60, 0, "warning 60"), (60, 30, 30, "final 30"), (86_400, 0, 0, "start 86400")])
    func thresholds(_ start: Int, warning: Int, final: Int, named: String) throws {
        let timer = #"{"start": \#(start), "warning": \#(warning), "final": \#(final)}"#
        let error = #expect(throws: TimerEngine.ThresholdsError.self) {
            try decode(#"{"groups": [{"timers": [\#(timer)]}]}"#)
        }
        #expect(error?.description.hasPrefix(named) == true)
    }

    @Test(
        "another type, or a value that is none of its kind, is a decoding error",
        arguments: [
            #"[]"#, #"{"version": "2", "groups": []}"#, #"{"groups": [{"timers": [{"start": "60"}]}]}"#,
            #"{"groups": [{"timers": [{"start": 60.5}]}]}"#, #"{"groups": [{"timers": [{"name": "x"}]}]}"#,
            #"{"groups": [{"display": "neon", "timers": [{"start": 60}]}]}"#,
            #"{"groups": [{"timers": [{"id": "7", "start": 60}]}]}"#,
        ])
    func types(_ text: String) {
        #expect(throws: DecodingError.self) { try decode(text) }
    }
}
