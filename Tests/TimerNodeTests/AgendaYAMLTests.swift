import ConfigurationFiles
import NodeConfiguration
import TestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol
@testable import timer_node

@Suite("An agenda as YAML")
struct AgendaYAMLTests {
    private static let texts = [
        "Talk", "yes", "1:30", "0x1F", "a: b", "- x", "# x", "'", "\"", "\\", "{a}", "日本", "é\u{301}", "null", "~",
        " leading", "trailing ", "&a", "https://conference.example/?a=b#c", "on,off",
    ]

    @Test("is read as the same agenda", arguments: SeededGenerator.seeds(100))
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func maybe(_ values: [String]) -> String? {
            Bool.random(using: &random) ? values.randomElement(using: &random) : nil
        }
        let zones = ["Europe/Berlin", "UTC", "Etc/GMT+12"]
        var agenda = Agenda(
            zone: maybe(zones),
            remindAfter: Bool.random(using: &random) ? 0 : Int.random(in: Agenda.reminders, using: &random))
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            var days: Set<Agenda.Meeting.Day> = []
            for _ in 0...Int.random(in: 0...4, using: &random) {
                days.insert(
                    Bool.random(using: &random)
                        ? .weekday(Weekday.allCases.randomElement(using: &random) ?? .mon)
                        : .date(CivilDate(daysSince1970: Int.random(in: CivilDate.days, using: &random))))
            }
            let group = Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) : nil
            agenda.meetings.append(
                Agenda.Meeting(
                    name: Self.texts.randomElement(using: &random) ?? "", days: Array(days),
                    at: TimeOfDay(secondOfDay: Int.random(in: 0..<86_400, using: &random)),
                    duration: Int.random(in: Agenda.Meeting.durations, using: &random), group: group,
                    begin: group == nil ? nil : Agenda.Meeting.Begin.allCases.randomElement(using: &random),
                    attend: Bool.random(using: &random), zone: maybe(zones), location: maybe(Self.texts),
                    note: maybe(Self.texts)))
        }
        let yaml = AgendaYAML.text(agenda)
        #expect(try NodeConfiguration.loadAgenda(yaml: Array(yaml.utf8), file: "x.yaml") == agenda, "\(yaml)")
    }
}
