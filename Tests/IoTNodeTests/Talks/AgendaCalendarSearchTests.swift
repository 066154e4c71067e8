import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing

@testable import Calendar
@testable import TimerProtocol

/// The calendar computes its days. These tests try each day of two years instead, which is slow but simple.
@Suite("The search in the calendar of an agenda")
struct AgendaCalendarSearchTests {
    private static let days = 20_454...21_183

    private struct Tried {
        let begin: Int
        let index: Int
        let end: Int
    }

    private func tryAll(_ agenda: Agenda, _ zones: [String: TimeZoneRules]) -> [Tried] {
        var all: [Tried] = []
        for (index, meeting) in agenda.meetings.enumerated() {
            guard let rules = zones[meeting.zone ?? agenda.zone ?? ""] else { continue }
            for day in Self.days {
                let date = CivilDate(daysSince1970: day)
                guard meeting.days.contains(.weekday(date.weekday)) || meeting.days.contains(.date(date)) else {
                    continue
                }
                let begin = rules.instant(ofLocal: date, meeting.at).wholeSeconds
                all.append(Tried(begin: begin, index: index, end: begin + meeting.duration))
            }
        }
        return all.sorted { ($0.begin, $0.index) < ($1.begin, $1.index) }
    }

    @Test("finds the same occurrences as trying each day", arguments: SeededGenerator.seeds(40))
    func search(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let zones: [String: TimeZoneRules] = [
            "Europe/Berlin": try .berlin(), "America/New_York": try .newYork(), "Asia/Kolkata": try .kolkata(),
            "Australia/Lord_Howe": try .lordHowe(),
        ]
        let names = zones.keys.sorted()
        var agenda = Agenda(zone: names.randomElement(using: &random))
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            var days: Set<Agenda.Meeting.Day> = []
            for _ in 0...Int.random(in: 0...3, using: &random) {
                days.insert(
                    Bool.random(using: &random)
                        ? .weekday(Weekday.allCases.randomElement(using: &random) ?? .mon)
                        : .date(CivilDate(daysSince1970: Int.random(in: Self.days, using: &random))))
            }
            agenda.meetings.append(
                Agenda.Meeting(
                    name: "A", days: Array(days),
                    at: TimeOfDay(secondOfDay: Int.random(in: 0..<86_400, using: &random) / 1800 * 1800),
                    duration: Bool.random(using: &random) ? Int.random(in: 60...7200, using: &random) : 604_800,
                    zone: Bool.random(using: &random) ? names.randomElement(using: &random) : nil))
        }
        let calendar = try AgendaCalendar(agenda, machine: .utc, zones: zones)
        let all = tryAll(agenda, zones)
        for _ in 0..<30 {
            // The search is not near the ends, beyond which nothing was tried, and is often at an instant when
            // something changes.
            var now = Int.random(
                in: (Self.days.lowerBound + 10) * 86_400...(Self.days.upperBound - 30) * 86_400, using: &random)
            if let near = all.first(where: { $0.begin >= now }), Bool.random(using: &random) {
                now = (Bool.random(using: &random) ? near.begin : near.end) + Int.random(in: -1...1, using: &random)
            }
            let date = Date(wholeSeconds: now)
            func text(_ begin: Int, _ index: Int) -> String { "\(begin) \(index)" }
            #expect(
                calendar.inProgress(at: date).map { text($0.begin.wholeSeconds, $0.index) }
                    == all.filter { $0.begin <= now && now < $0.end }.map { text($0.begin, $0.index) })
            let next = all.first { $0.begin > now }
            let found = calendar.next(after: date)
            // Later changes were not tried.
            if let next { #expect(found.map { text($0.begin.wholeSeconds, $0.index) } == text(next.begin, next.index)) }
            let to = now + Int.random(in: 0...2_000_000, using: &random)
            #expect(
                calendar.occurrences(from: date, to: Date(wholeSeconds: to)).map {
                    text($0.begin.wholeSeconds, $0.index)
                }
                    == all.filter { $0.begin < to && $0.end > now }.map { text($0.begin, $0.index) })
            let slots = calendar.slots(on: date)
            #expect(slots.map(\.begin.day).allSatisfy { $0 >= calendar.localTime(of: date).day })
            #expect(Set(slots.map { "\($0.begin)" }).count == slots.count || agenda.meetings.count > 1)
            let instants = all.flatMap { [$0.begin, $0.end] } + [calendar.nextMidnight(after: date).wholeSeconds]
            #expect(calendar.nextChange(after: date).wholeSeconds == instants.filter { $0 > now }.min())
        }
    }

    @Test("finds a slot for each minute at which meetings begin")
    func slots() throws {
        let meetings = (0...61).map { minute in
            Agenda.Meeting(
                name: "A", days: [.weekday(.tue)], at: TimeOfDay(secondOfDay: 68_400 + minute * 60), duration: 60)
        }
        let calendar = try AgendaCalendar(Agenda(meetings: meetings), machine: .utc, zones: [:])
        let slots = calendar.slots(on: try TimeZoneRulesTests.date("2026-11-24T12:00:00Z"))
        #expect(slots.map(\.meetings) == (1...62).map { [$0] })
    }
}
