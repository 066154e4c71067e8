import ConfigurationFiles
import NodeTestSupport
import Testing

@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The agenda in a configuration")
struct AgendaConfigurationTests {
    private static let example = """
        agenda:
          zone: Europe/Berlin            # by default the machine's
          remind_after: 1m               # an attended meeting that nobody starts: remind; 0 for never
          meetings:
            - {name: Toastmasters, day: tue, at: "19:00", for: 2h, group: 2, begin: select, location: Room 2}
            - {name: Stand-up, day: [mon, tue, wed, thu, fri], at: "9:15", for: 15m, group: 1, begin: start}
            - {name: Spring conference, day: 2027-03-20, at: "10:00", for: 8h, zone: America/New_York, begin: none, attend: false, note: https://conference.example}

        """

    @Test("matches the specification's example")
    func example() throws {
        let loaded = try load(Self.example)
        #expect(loaded.warnings.isEmpty)
        let agenda = try #require(loaded.configuration.agenda)
        #expect(agenda.zone == "Europe/Berlin" && agenda.remindAfter == 60)
        #expect(agenda.meetings.map(\.name) == ["Toastmasters", "Stand-up", "Spring conference"])
        #expect(agenda.meetings.map(\.duration) == [7200, 900, 28_800])
        #expect(agenda.meetings.map(\.at.description) == ["19:00", "09:15", "10:00"])
        #expect(agenda.meetings.map(\.begin) == [.select, .start, .none])
        #expect(agenda.meetings.map(\.group) == [2, 1, nil])
        #expect(agenda.meetings.map(\.attend) == [true, true, false])
        #expect(agenda.meetings[1].days == [.mon, .tue, .wed, .thu, .fri].map { .weekday($0) })
        #expect(agenda.meetings[2].days == [.date(try #require(CivilDate("2027-03-20")))])
        #expect(agenda.meetings[2].zone == "America/New_York" && agenda.meetings[0].location == "Room 2")
        #expect(agenda.meetings[2].note == "https://conference.example")
    }

    @Test("is the same as one from a command's JSON")
    func json() throws {
        let agenda = try #require(try load(Self.example).configuration.agenda)
        #expect(try Agenda.read(agenda.json()) == agenda)
    }

    @Test("does not exist without the section, and has defaults")
    func defaults() throws {
        #expect(try load("{}").configuration.agenda == nil)
        #expect(try load("agenda:\n").configuration.agenda == Agenda())
        #expect(try load("agenda: {remind_after: 0, meetings: []}").configuration.agenda == Agenda(remindAfter: 0))
        let meeting = "agenda: {meetings: [{name: A, day: mon, at: 9:05, for: 1h30m, group: 3}]}"
        #expect(
            try load(meeting).configuration.agenda?.meetings == [
                .init(
                    name: "A", days: [.weekday(.mon)], at: try #require(TimeOfDay("09:05")), duration: 5400, group: 3,
                    begin: .select)
            ])
    }

    @Test("can be read on its own, whatever errors the rest of the file has")
    func alone() throws {
        let yaml = "gpio: 7\n" + Self.example
        let agenda = try #require(try NodeConfiguration.loadAgenda(yaml: Array(yaml.utf8), file: "x.yaml"))
        #expect(agenda.meetings.count == 3)
        #expect(try NodeConfiguration.loadAgenda(yaml: Array("log: {level: info}".utf8), file: "x.yaml") == nil)
        let error = #expect(throws: ConfigurationError.self) {
            try NodeConfiguration.loadAgenda(yaml: Array("agenda:\n  meetings: [{}]\n".utf8), file: "x.yaml")
        }
        #expect(error?.lines.count == 4)
        #expect(error?.lines.first?.hasPrefix("x.yaml:2: agenda.meetings[1].name: found nothing") == true)
    }
}
