import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing

@testable import Calendar
@testable import TimerProtocol

@Suite("The calendar of an agenda")
struct AgendaCalendarTests {
    private static func zones() throws -> [String: TimeZoneRules] {
        [
            "Europe/Berlin": try .berlin(), "America/New_York": try .newYork(), "Asia/Kolkata": try .kolkata(),
            "Australia/Lord_Howe": try .lordHowe(),
        ]
    }

    private func calendar(_ agenda: Agenda) throws -> AgendaCalendar {
        try AgendaCalendar(agenda, machine: .utc, zones: try Self.zones())
    }

    private func meeting(
        _ days: String, _ at: String, for seconds: Int = 7200, zone: String? = nil
    ) throws -> Agenda.Meeting {
        let days = try days.split(separator: " ").map { try #require(Agenda.Meeting.Day(String($0))) }
        return Agenda.Meeting(
            name: "Meeting", days: days, at: try #require(TimeOfDay(at)), duration: seconds, zone: zone)
    }

    private func date(_ text: String) throws -> Date { try TimeZoneRulesTests.date(text) }

    /// Occurrences as `INDEX BEGIN END`, with dates to the minute.
    private func text(_ occurrences: [AgendaCalendar.Occurrence]) -> [String] {
        occurrences.map { "\($0.index) \(Timestamp.text($0.begin).prefix(16)) \(Timestamp.text($0.end).prefix(16))" }
    }

    @Test("has weekly meetings at the same local time in summer and in winter")
    func summerTime() throws {
        let agenda = Agenda(zone: "Europe/Berlin", meetings: [try meeting("tue sun", "2:30")])
        let found = try calendar(agenda).occurrences(
            from: date("2027-03-22T00:00:00Z"), to: date("2027-04-01T00:00:00Z"))
        #expect(
            text(found) == [
                "0 2027-03-23T01:30 2027-03-23T03:30", "0 2027-03-28T01:00 2027-03-28T03:00",
                "0 2027-03-30T00:30 2027-03-30T02:30",
            ])
        let autumn = try calendar(agenda).occurrences(
            from: date("2027-10-30T00:00:00Z"), to: date("2027-11-03T00:00:00Z"))
        #expect(text(autumn) == ["0 2027-10-31T00:30 2027-10-31T02:30", "0 2027-11-02T01:30 2027-11-02T03:30"])
    }

    @Test("returns the occurrences that overlap a range, sorted by begin and then by index")
    func range() throws {
        let agenda = Agenda(meetings: [
            try meeting("tue", "19:00"), try meeting("2026-11-24", "18:30"), try meeting("tue", "19:00", for: 60),
        ])
        let calendar = try calendar(agenda)
        func found(_ from: String, _ to: String) throws -> [String] {
            text(calendar.occurrences(from: try date("2026-11-24T\(from)Z"), to: try date("2026-11-24T\(to)Z")))
        }
        let all = [
            "1 2026-11-24T18:30 2026-11-24T20:30", "0 2026-11-24T19:00 2026-11-24T21:00",
            "2 2026-11-24T19:00 2026-11-24T19:01",
        ]
        #expect(try found("00:00:00", "23:59:59") == all)
        #expect(try found("18:00:00", "18:30:00") == [])
        #expect(try found("18:00:00", "18:30:00.5") == [all[0]])
        #expect(try found("19:00:59.5", "19:01:00") == all)
        #expect(try found("19:01:00", "19:02:00") == [all[0], all[1]])
        #expect(try found("20:30:00", "20:59:00") == [all[1]])
        #expect(try found("21:00:00", "23:00:00") == [])
        #expect(try found("20:00:00", "19:00:00") == [])
    }

    @Test("returns meetings in progress, from the first instant to just before the last")
    func inProgress() throws {
        let calendar = try calendar(Agenda(meetings: [try meeting("tue", "19:00")]))
        for (time, isOne) in [
            ("18:59:59.999", false), ("19:00:00", true), ("20:59:59.999", true), ("21:00:00", false),
        ] {
            let date = try date("2026-11-24T\(time)Z")
            let found = calendar.inProgress(at: date)
            #expect(found.count == (isOne ? 1 : 0), "\(time)")
            #expect(found.allSatisfy { $0.contains(date) })
        }
    }

    @Test("returns each occurrence of a meeting whose occurrences overlap")
    func overlapping() throws {
        let daily = try meeting("mon tue wed thu fri sat sun", "12:00", for: 604_800)
        let calendar = try calendar(Agenda(zone: "Europe/Berlin", meetings: [daily]))
        #expect(calendar.inProgress(at: try date("2027-02-02T11:00:00Z")).count == 7)
        #expect(calendar.inProgress(at: try date("2027-02-02T10:59:59Z")).count == 7)
        // In the week in which clocks are put forward, it ends an hour later by local time.
        let found = calendar.inProgress(at: try date("2027-03-30T10:30:00Z"))
        #expect(found.count == 8)
        #expect(found.last.map { Timestamp.text($0.begin) } == "2027-03-30T10:00:00.000Z")
        #expect(found.first.map { Timestamp.text($0.end) } == "2027-03-30T11:00:00.000Z")
    }

    @Test("finds the next meeting, however far away it is, or none if there are no more")
    func next() throws {
        let agenda = Agenda(meetings: [
            try meeting("2027-03-20 2999-01-01", "10:00", zone: "America/New_York"), try meeting("2027-03-20", "14:00"),
        ])
        let calendar = try calendar(agenda)
        func next(_ text: String) throws -> String? {
            calendar.next(after: try date(text)).map { "\($0.index) \(Timestamp.text($0.begin))" }
        }
        #expect(try next("2026-11-24T00:00:00Z") == "0 2027-03-20T14:00:00.000Z")
        #expect(try next("2027-03-20T13:59:59.999Z") == "0 2027-03-20T14:00:00.000Z")
        #expect(try next("2027-03-20T14:00:00Z") == "0 2999-01-01T15:00:00.000Z")
        #expect(try next("2999-01-01T15:00:00Z") == nil)
        #expect(try self.calendar(Agenda()).next(after: date("2026-11-24T00:00:00Z")) == nil)
        let weekly = try self.calendar(Agenda(meetings: [try meeting("sun", "23:59")]))
        #expect(weekly.next(after: try date("9999-12-31T23:59:59Z")) == nil)
        #expect(
            text([try #require(weekly.next(after: date("2026-11-22T23:59:00Z")))]) == [
                "0 2026-11-29T23:59 2026-11-30T01:59"
            ])
    }

    @Test("has slots of seven days in the agenda's own zone")
    func slots() throws {
        let agenda = Agenda(
            zone: "Europe/Berlin",
            meetings: [
                try meeting("tue", "19:00"), try meeting("tue", "13:00", zone: "America/New_York"),
                try meeting("mon tue", "0:00"), try meeting("tue", "2:00", zone: "Asia/Kolkata"),
                try meeting("2026-12-01", "0:00"),
            ])
        let slots = try calendar(agenda).slots(on: date("2026-11-24T22:59:00Z"))
        #expect(
            slots.map { "\($0.begin.day) \($0.begin.at) \($0.meetings)" } == [
                "2026-11-24 00:00 [3]", "2026-11-24 19:00 [1, 2]", "2026-11-30 00:00 [3]", "2026-11-30 21:30 [4]",
            ])
        #expect(
            try calendar(agenda).slots(on: date("2026-11-24T23:00:00Z")).first?.begin.day.description == "2026-11-30")
    }

    @Test("returns the next change: a beginning, an end or a new day")
    func nextChange() throws {
        let agenda = Agenda(
            zone: "Europe/Berlin", meetings: [try meeting("tue", "19:00"), try meeting("tue", "20:00")])
        let calendar = try calendar(agenda)
        var instants: [String] = []
        var now = try date("2026-11-23T23:00:00Z")
        for _ in 0..<6 {
            now = calendar.nextChange(after: now)
            instants.append(String(Timestamp.text(now).dropLast(8)))
        }
        #expect(
            instants == [
                "2026-11-24T18:00", "2026-11-24T19:00", "2026-11-24T20:00", "2026-11-24T21:00", "2026-11-24T23:00",
                "2026-11-25T23:00",
            ])
    }

    @Test("creates the message with the meetings in progress and the next meeting's local time")
    func message() throws {
        let agenda = Agenda(
            zone: "Europe/Berlin", meetings: [try meeting("tue", "19:00"), try meeting("tue", "20:00")])
        let message = try calendar(agenda).message(revision: 7, at: date("2026-11-24T18:30:00Z"))
        #expect(message.revision == 7 && message.agenda == agenda)
        #expect(message.inProgress.map(\.meeting) == [1] && message.inProgress[0].begin == nil)
        #expect(message.next?.meeting == 2 && message.next?.begin?.at.description == "20:00")
        #expect(message.slots.map(\.meetings) == [[1], [2]])
        #expect(try AgendaMessage(message.bytes) == message)
    }

    @Test("needs each zone that is named in the agenda")
    func unknownZone() throws {
        #expect(throws: Refusal(.invalidPayload, Agenda(zone: "X/Y").unknownZone(ofMeeting: nil).message)) {
            try calendar(Agenda(zone: "X/Y"))
        }
        let agenda = Agenda(
            zone: "Europe/Berlin", meetings: [try meeting("tue", "9:00"), try meeting("tue", "9:00", zone: "Mars")])
        #expect(agenda.zones == ["Europe/Berlin", "Mars"])
        let refusal = #expect(throws: Refusal.self) { try calendar(agenda) }
        #expect(refusal?.message.hasPrefix(#"field meetings[2].zone: found "Mars", expected"#) == true)
    }

    @Test("does not trap for an agenda or a date that was not validated")
    func absurd() throws {
        var absurd = try meeting("tue 9999-12-31 1970-01-01", "23:59", for: .max)
        absurd.days += absurd.days
        var negative = try meeting("tue", "0:00", for: .min)
        negative.days = []
        let calendar = try calendar(Agenda(zone: "Europe/Berlin", meetings: [absurd, negative]))
        for seconds in [Double.nan, -.infinity, .infinity, 0, 253_402_300_799, -1e300] {
            let date = Date(timeIntervalSince1970: seconds)
            _ = calendar.message(revision: 1, at: date)
            _ = calendar.nextChange(after: date)
            _ = calendar.nextMidnight(after: date)
        }
    }

    @Test(
        "is quick with the maximum number of meetings, even if each is in progress seven times at once",
        arguments: [("mon", 7200, 30), ("mon tue wed thu fri sat sun", 604_800, 60)])
    func cost(days: String, duration: Int, milliseconds: Int) throws {
        let names = try Self.zones().keys.sorted()
        let meetings = try (0..<64).map { index in
            var meeting = try meeting(
                days, "\(index % 24):\(10 + index % 50)", for: duration, zone: names[index % names.count])
            meeting.days += (0..<57).map { .date(CivilDate(daysSince1970: 20_000 + $0 * 31)) }
            return meeting
        }
        let calendar = try calendar(Agenda(zone: "Europe/Berlin", meetings: meetings))
        let now = try date("2026-11-24T18:30:00Z")
        var fastest = Duration.seconds(1000)
        for _ in 0..<20 {
            let time = ContinuousClock().measure {
                _ = calendar.message(revision: 1, at: now)
                _ = calendar.nextChange(after: now)
            }
            fastest = min(fastest, time)
        }
        print("64 meetings on \(days) took \(fastest)")
        // A busy machine takes several times as long.
        #expect(fastest < .milliseconds(milliseconds))
    }

    @Test("moves a meeting whose time is skipped by a change of the clocks over midnight to the following day")
    func skippedMidnight() throws {
        // At 23:30 on Tuesday, 24 November, the clocks go to 0:30 on Wednesday.
        let change = Int(try date("2026-11-24T23:30:00Z").timeIntervalSince1970)
        let zone = TimeZoneRules(starts: [TimeZoneRules.longAgo, change], offsets: [0, 3600], footer: nil)
        let agenda = Agenda(meetings: [try meeting("2026-11-24", "23:45", for: 60)])
        let calendar = try AgendaCalendar(agenda, machine: zone, zones: [:])
        let begin = try date("2026-11-24T23:30:00Z")
        #expect(text(calendar.inProgress(at: begin)) == ["0 2026-11-24T23:30 2026-11-24T23:31"])
        #expect(calendar.begins(0, at: begin))
        #expect(calendar.next(after: begin.addingTimeInterval(-1))?.begin == begin)
        // In its last second the meeting is still in progress, although it began on the previous day.
        #expect(calendar.inProgress(at: begin.addingTimeInterval(59)).count == 1)
        #expect(calendar.next(after: begin) == nil)
    }

    @Test("has a meeting in progress that began after midnight even if the clocks show the previous day again")
    func repeatedMidnight() throws {
        // At 0:30 on Wednesday, 25 November, the clocks go back to 23:30 on Tuesday.
        let change = Int(try date("2026-11-24T23:30:00Z").timeIntervalSince1970)
        let zone = TimeZoneRules(starts: [TimeZoneRules.longAgo, change], offsets: [3600, 0], footer: nil)
        let agenda = Agenda(meetings: [try meeting("2026-11-25", "0:10", for: 3600)])
        let calendar = try AgendaCalendar(agenda, machine: zone, zones: [:])
        #expect(
            text(calendar.inProgress(at: try date("2026-11-24T23:40:00Z"))) == ["0 2026-11-24T23:10 2026-11-25T00:10"])
        #expect(
            calendar.next(after: try date("2026-11-24T23:40:00Z")) == nil, "of a repeated time, the first counts"
        )
    }
}
