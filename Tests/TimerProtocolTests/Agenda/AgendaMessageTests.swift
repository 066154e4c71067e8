import FoundationEssentials
import TestSupport
import Testing

@testable import TimerProtocol

@Suite("A message about the agenda")
struct AgendaMessageTests {
    @Test("is read as an equal value, which is written as the same bytes", arguments: SeededGenerator.seeds(200))
    func roundTrip(seed: UInt64) throws {
        var agendas = RandomAgendas(seed: seed)
        let message = agendas.message()
        let read = try AgendaMessage(message.bytes)
        #expect(read == message)
        #expect(read.bytes == message.bytes)
    }

    @Test("is written in the form of the specification")
    func text() throws {
        let begin = AgendaMessage.LocalTime(
            day: try #require(CivilDate("2026-11-24")), at: try #require(TimeOfDay("19:00")))
        let agenda = Agenda(
            zone: "Europe/Berlin",
            meetings: [
                .init(
                    name: "Toastmasters", days: [.weekday(.tue)], at: begin.at, duration: 7200, group: 2,
                    location: "Room 2"),
                .init(
                    name: "Walk", days: [.weekday(.sat), .date(begin.day)], at: begin.at, duration: 60, attend: false),
            ])
        let date = Date(timeIntervalSince1970: 1_795_543_200)
        var next = AgendaMessage.Occurrence(meeting: 1, name: "Toastmasters", beginsAt: date, endsAt: date + 7200)
        next.begin = begin
        let message = AgendaMessage(
            revision: 3, agenda: agenda,
            inProgress: [.init(meeting: 2, name: "Walk", beginsAt: date, endsAt: date + 60)], next: next,
            slots: [.init(begin: begin, meetings: [1, 2])])
        #expect(
            String(decoding: message.bytes, as: UTF8.self)
                == """
                {"revision":3,"zone":"Europe/Berlin","remind_after":60,"meetings":[{"name":"Toastmasters","day":"tue",\
                "at":"19:00","for":7200,"group":2,"begin":"select","attend":true,"location":"Room 2"},\
                {"name":"Walk","day":["sat","2026-11-24"],"at":"19:00","for":60,"begin":"none","attend":false}],\
                "in_progress":[{"meeting":2,"name":"Walk","begins_at":"2026-11-24T18:00:00.000Z",\
                "ends_at":"2026-11-24T18:01:00.000Z"}],"next":{"meeting":1,"name":"Toastmasters",\
                "begins_at":"2026-11-24T18:00:00.000Z","ends_at":"2026-11-24T20:00:00.000Z","day":"2026-11-24",\
                "at":"19:00"},"slots":[{"day":"2026-11-24","at":"19:00","meetings":[1,2]}]}
                """)
        #expect(
            String(decoding: AgendaMessage(revision: 1, agenda: Agenda()).bytes, as: UTF8.self)
                == #"{"revision":1,"remind_after":60,"meetings":[],"in_progress":[],"next":null,"slots":[]}"#)
    }

    @Test("is read even if a newer node has added fields")
    func lenient() throws {
        let message = try AgendaMessage(
            Array(
                """
                {"x":1,"revision":1,"meetings":[{"x":[],"name":"Walk","day":["tue"],"at":"9:15","for":60,"note":"N"}],\
                "in_progress":[{"x":1,"meeting":1,"name":"Walk","begins_at":"2026-11-24T18:00:00Z",\
                "ends_at":"2026-11-24T18:01:00Z"}],"slots":[{"x":1,"day":"2026-11-24","at":"19:00","meetings":[1.0]}]}
                """.utf8))
        #expect(message.agenda.meetings[0].note == "N" && message.agenda.meetings[0].days == [.weekday(.tue)])
        #expect(message.inProgress.count == 1 && message.slots[0].meetings == [1] && message.next == nil)
    }

    @Test(
        "is not valid",
        arguments: [
            ("[]", "found an array, expected a JSON object"), ("{}", #"field "revision" is missing"#),
            (#"{"revision":1}"#, #"field "meetings" is missing"#),
            (#"{"revision":1,"meetings":[]}"#, #"field "in_progress" is missing"#),
            (#"{"revision":1,"meetings":[],"in_progress":[{}]}"#, "field in_progress[1].meeting is missing"),
            (#"{"revision":1,"meetings":[],"in_progress":[]}"#, #"field "slots" is missing"#),
            (
                #"{"revision":1,"meetings":[],"in_progress":[],"slots":[{"day":"2026-11-31"}]}"#,
                #"field slots[1].day: found "2026-11-31", expected a date such as 2026-11-24"#
            ),
            (
                #"{"revision":1,"meetings":[],"in_progress":[],"slots":[{"day":"2026-11-30","at":"9:00","meetings":["1"]}]}"#,
                #"field slots[1].meetings[1]: found "1", expected a whole number from 1 to 64"#
            ),
            (
                #"{"revision":1,"meetings":[],"in_progress":[],"next":7}"#,
                #"field "next": found 7, expected an object"#
            ),
        ])
    func faulty(payload: String, description: String) {
        let error = #expect(throws: PayloadError.self) { try AgendaMessage(Array(payload.utf8)) }
        #expect(error?.description == description)
    }
}
