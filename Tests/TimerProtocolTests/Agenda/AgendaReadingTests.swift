import TestSupport
import Testing

@testable import TimerProtocol

@Suite("An agenda in JSON")
struct AgendaReadingTests {
    /// Reads an agenda as a node reads it from a command, or as a client reads it from a message.
    static func read(_ json: String, leniently: Bool = false) throws -> Agenda {
        guard case .object(let members) = try JSON(parsing: Array(json.utf8)) else { throw PayloadError("no object") }
        return try Agenda.read(PayloadFields(members, ignoresUnknown: leniently))
    }

    /// A command with one meeting, one of whose members is replaced, added or, if empty, omitted.
    private static func meeting(_ key: String, _ value: String) -> String {
        var members = [("name", #""A""#), ("day", #""tue""#), ("at", #""19:00""#), ("for", "3600"), ("group", "2")]
        members.removeAll { $0.0 == key }
        if !value.isEmpty { members.append((key, value)) }
        let text = members.map { "\"\($0)\":\($1)" }.joined(separator: ",")
        return "{\"meetings\":[{\(text)}]}"
    }

    /// The refusal message for an agenda.
    private static func refusal(_ json: String) -> Refusal? {
        #expect(throws: Refusal.self) { try read(json) }
    }

    @Test("is the same as in the specification's configuration")
    func example() throws {
        let agenda = try Self.read(
            """
            {"zone": "Europe/Berlin", "remind_after": "1m", "meetings": [
              {"name": "Toastmasters", "day": "tue", "at": "19:00", "for": "2h", "group": 2, "begin": "select",
               "location": "Room 2"},
              {"name": "Stand-up", "day": ["mon", "tue", "wed", "thu", "fri"], "at": "9:15", "for": "15m", "group": 1,
               "begin": "start"},
              {"name": "Spring conference", "day": "2027-03-20", "at": "10:00", "for": 28800,
               "zone": "America/New_York", "begin": "none", "attend": false, "note": "https://conference.example"}]}
            """)
        let (seven, quarterPast, ten) = (TimeOfDay("19:00"), TimeOfDay("9:15"), TimeOfDay("10:00"))
        #expect(
            agenda
                == Agenda(
                    zone: "Europe/Berlin", remindAfter: 60,
                    meetings: [
                        .init(
                            name: "Toastmasters", days: [.weekday(.tue)], at: try #require(seven), duration: 7200,
                            group: 2, begin: .select, location: "Room 2"),
                        .init(
                            name: "Stand-up",
                            days: [.mon, .tue, .wed, .thu, .fri].map { Agenda.Meeting.Day.weekday($0) },
                            at: try #require(quarterPast), duration: 900, group: 1, begin: .start),
                        .init(
                            name: "Spring conference", days: [.date(try #require(CivilDate("2027-03-20")))],
                            at: try #require(ten), duration: 28_800, begin: Agenda.Meeting.Begin.none, attend: false,
                            zone: "America/New_York", note: "https://conference.example"),
                    ]))
    }

    @Test("has defaults")
    func defaults() throws {
        #expect(try Self.read(#"{"meetings":[]}"#) == Agenda(zone: nil, remindAfter: 60))
        #expect(try Self.read(#"{"meetings":[],"remind_after":0}"#).remindAfter == 0)
        #expect(try Self.read(#"{"meetings":[],"remind_after":"0"}"#).remindAfter == 0)
        let meeting = try Self.read(Self.meeting("group", "")).meetings[0]
        #expect(meeting.begin == .none && meeting.attend && meeting.zone == nil && meeting.note == nil)
        #expect(try Self.read(Self.meeting("group", "3")).meetings[0].begin == .select)
    }

    @Test("is written in a form that the command accepts", arguments: SeededGenerator.seeds(200))
    func roundTrip(seed: UInt64) throws {
        var agendas = RandomAgendas(seed: seed)
        let agenda = agendas.agenda()
        #expect(try Self.read(String(decoding: agenda.json(), as: UTF8.self)) == agenda)
    }

    private static let day = "a weekday (mon, tue, wed, thu, fri, sat or sun) or a date such as 2026-11-24"
    private static let duration =
        "whole seconds from 60 to 604800, or a duration with a unit from 1m to 168h, such as 90m, 2h or 1h30m"

    static let faults: [(key: String, value: String, problem: String)] = [
        ("name", #""""#, #"found "", expected a string of 1 to 128 bytes without control characters"#),
        ("name", #""a\u0007b""#, "found a control character (U+0007), expected \(TextKind.name.expected)"),
        ("name", "7", "found 7, expected \(TextKind.name.expected)"),
        ("name", "\"\(String(repeating: "a", count: 129))\"", "found 129 bytes, expected \(TextKind.name.expected)"),
        ("name", "", "is missing"), ("day", "", "is missing"), ("at", "", "is missing"), ("for", "", "is missing"),
        ("day", #""Tue""#, #"found "Tue", expected \#(day), or a list of 1 to 64 of them"#),
        ("day", "7", "found 7, expected \(day), or a list of 1 to 64 of them"),
        ("day", "[]", "found a list of 0, expected \(day), or a list of 1 to 64 of them"),
        ("at", #""25:00""#, #"found "25:00", expected a time of day such as 19:00"#),
        ("at", "19", "found 19, expected a time of day such as 19:00"),
        ("for", "59", "found 59, expected \(duration)"), ("for", "604801", "found 604801, expected \(duration)"),
        ("for", #""90""#, #"found "90", expected \#(duration)"#), ("for", "90.5", "found 90.5, expected \(duration)"),
        ("for", #""1:30""#, #"found "1:30", expected \#(duration)"#),
        ("for", #""60500ms""#, #"found "60500ms", expected \#(duration)"#),
        ("group", "0", "found 0, expected the number of a group, from 1"),
        ("group", #""2""#, #"found "2", expected the number of a group, from 1"#),
        ("begin", #""go""#, #"found "go", expected select, start or none"#),
        ("attend", "1", "found 1, expected true or false"),
        (
            "zone", #""Europe/Berlin/""#,
            #"found "Europe/Berlin/", expected the name of a time zone such as Europe/Berlin"#
        ),
        ("zone", #""../x""#, #"found "../x", expected the name of a time zone such as Europe/Berlin"#),
        ("location", "[]", "found an array, expected \(TextKind.plain.expected)"),
        (
            "note", "\"\(String(repeating: "a", count: 513))\"",
            "found 513 bytes, expected a string of at most 512 bytes without control characters"
        ),
        ("note", #""a\nb""#, "found a control character (U+000A), expected \(TextKind.note.expected)"),
    ]

    @Test("with an error is refused, and the message names the position", arguments: faults)
    func faulty(key: String, value: String, problem: String) {
        let refusal = Self.refusal(Self.meeting(key, value))
        let colon = problem.hasPrefix("is") ? "" : ":"
        #expect(refusal?.message == "field meetings[1].\(key)\(colon) \(problem)")
        #expect(refusal?.code == .invalidPayload)
    }

    @Test(
        "is refused with a specific message",
        arguments: [
            ("{}", #"field "meetings" is missing"#),
            (#"{"meetings":{}}"#, #"field "meetings": found an object, expected an array"#),
            (#"{"meetings":[7]}"#, "field meetings[1]: found 7, expected an object"),
            (
                #"{"meetings":[],"remind_after":86401}"#,
                """
                field "remind_after": found 86401, expected whole seconds from 0 to 86400, or a duration of up to 24h with \
                a unit, such as 90s or 1m, or 0 for never
                """
            ),
            (
                #"{"meetings":[],"zone":"/etc/passwd"}"#,
                #"field "zone": found "/etc/passwd", expected the name of a time zone such as Europe/Berlin"#
            ),
            (#"{"meetings":[],"x":1}"#, #"unknown field "x"; known fields: zone, remind_after, meetings"#),
            (
                #"{"meetings":[{"name":"A","x":1}]}"#,
                """
                unknown field meetings[1].x; known fields: name, day, at, for, group, begin, attend, lead, zone, location, \
                note
                """
            ),
        ])
    func faultyAsAWhole(json: String, message: String) {
        #expect(Self.refusal(json)?.message == message)
    }

    @Test("is refused if a day is invalid or a duplicate")
    func days() {
        func message(_ days: String) -> String? { Self.refusal(Self.meeting("day", days))?.message }
        #expect(message(#"["tue","x"]"#) == "field meetings[1].day[2]: found \"x\", expected \(Self.day)")
        #expect(message(#"["tue",["mon"]]"#) == "field meetings[1].day[2]: found an array, expected \(Self.day)")
        #expect(
            message(#"["tue","2026-11-24","tue"]"#)
                == "field meetings[1].day[3]: found tue a second time, expected each day once")
        let dates = (0..<65).map { "\"\(CivilDate(daysSince1970: $0))\"" }.joined(separator: ",")
        #expect(message("[\(dates)]")?.contains("found a list of 65, expected") == true)
    }

    @Test("may set `begin` for a meeting only if the meeting has a group")
    func begin() throws {
        for begin in ["select", "start"] {
            let json = #"{"meetings":[{"name":"A","day":"tue","at":"19:00","for":60,"begin":"\#(begin)"}]}"#
            #expect(
                Self.refusal(json)?.message
                    == "field meetings[1].begin: found \(begin), expected none in a meeting without a group")
        }
        #expect(try Self.read(Self.meeting("begin", #""none""#)).meetings[0].begin == .none)
    }

    @Test("has at most 64 meetings")
    func count() throws {
        let meeting = #"{"name":"A","day":"tue","at":"19:00","for":60}"#
        func json(_ count: Int) -> String {
            "{\"meetings\":[\(Array(repeating: meeting, count: count).joined(separator: ","))]}"
        }
        #expect(try Self.read(json(64)).meetings.count == 64)
        #expect(
            Self.refusal(json(65))?.message
                == "field \"meetings\": found 65 meetings, expected at most 64")
    }

    @Test(
        "may name a zone of letters, digits, _, + and -, and no other path",
        arguments: [
            ("Europe/Berlin", true), ("UTC", true), ("Etc/GMT+12", true), ("America/Port-au-Prince", true),
            ("a/b/c", true), (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
            ("", false), ("/", false), ("/UTC", false), ("UTC/", false), ("a//b", false), (".", false), ("..", false),
            ("a/../b", false), ("a b", false), ("a\0", false), ("ä", false), ("a\n", false),
        ])
    func zoneNames(name: String, isOne: Bool) {
        #expect(ZoneName.isValid(name) == isOne)
    }

    @Test("is refused for a zone that the system lacks, with the position of the zone")
    func unknownZone() throws {
        var agenda = try Self.read(Self.meeting("zone", #""Europe/Berln""#))
        #expect(
            agenda.unknownZone(ofMeeting: 0).message
                == """
                field meetings[1].zone: found "Europe/Berln", expected the name of a time zone such as Europe/Berlin, \
                known to this system
                """)
        agenda.zone = "X"
        #expect(agenda.unknownZone(ofMeeting: nil).message.hasPrefix(#"field "zone": found "X", expected "#))
        #expect(agenda.unknownZone(ofMeeting: 7).message.hasPrefix("field meetings[8].zone: found nothing"))
    }
}
