import FoundationEssentials
import TestSupport

@testable import TimerProtocol

/// Random agendas that a node accepts.
struct RandomAgendas {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func agenda() -> Agenda {
        var agenda = Agenda(zone: optional { $0.zone() }, remindAfter: Int.random(in: Agenda.reminders, using: &random))
        for _ in 0..<Int.random(in: 0...4, using: &random) { agenda.meetings.append(meeting()) }
        return agenda
    }

    mutating func meeting() -> Agenda.Meeting {
        let group = optional { Int.random(in: 1...9, using: &$0.random) }
        var days: [Agenda.Meeting.Day] = []
        for _ in 0...Int.random(in: 0...5, using: &random) {
            let day = day()
            if !days.contains(day) { days.append(day) }
        }
        return Agenda.Meeting(
            name: text(), days: days, at: TimeOfDay(secondOfDay: Int.random(in: 0..<86_400, using: &random)),
            duration: Int.random(in: Agenda.Meeting.durations, using: &random), group: group,
            begin: group == nil ? nil : Agenda.Meeting.Begin.allCases.randomElement(using: &random),
            attend: Bool.random(using: &random), lead: optional { Int.random(in: 1...86_400, using: &$0.random) },
            zone: optional { $0.zone() }, location: optional { $0.text() },
            note: optional { $0.text() })
    }

    mutating func message() -> AgendaMessage {
        var message = AgendaMessage(revision: Int.random(in: 0...99, using: &random), agenda: agenda())
        for _ in 0..<Int.random(in: 0...3, using: &random) { message.inProgress.append(occurrence()) }
        message.next = optional { random in
            var next = random.occurrence()
            next.begin = random.localTime()
            return next
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            message.slots.append(.init(begin: localTime(), meetings: [1, Int.random(in: 2...64, using: &random)]))
        }
        return message
    }

    private mutating func occurrence() -> AgendaMessage.Occurrence {
        .init(
            meeting: Int.random(in: 1...64, using: &random), name: text(), beginsAt: date(), endsAt: date())
    }

    private mutating func localTime() -> AgendaMessage.LocalTime {
        .init(day: civilDate(), at: TimeOfDay(secondOfDay: Int.random(in: 0..<86_400, using: &random)))
    }

    private mutating func date() -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: 0...253_402_300_799, using: &random)))
    }

    private mutating func civilDate() -> CivilDate {
        CivilDate(daysSince1970: Int.random(in: CivilDate.days, using: &random))
    }

    private mutating func day() -> Agenda.Meeting.Day {
        Bool.random(using: &random)
            ? .date(civilDate()) : .weekday(Weekday.allCases.randomElement(using: &random) ?? .mon)
    }

    private mutating func zone() -> String {
        ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+1"].randomElement(using: &random) ?? ""
    }

    private mutating func text() -> String {
        ["Toastmasters", "\"", "\\", "日本 — é\u{301}", "https://a.example/?b#c", "null", " "]
            .randomElement(using: &random) ?? ""
    }

    private mutating func optional<Value>(_ value: (inout Self) -> Value) -> Value? {
        Bool.random(using: &random) ? value(&self) : nil
    }
}
