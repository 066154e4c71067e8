import FoundationEssentials
import LinuxSystem
import TestSupport
import Testing

@testable import Calendar
@testable import TimerProtocol

/// Compares the system's zones as parsed here with the results of Python's zoneinfo (`Tests/time-zones/expected`).
@Suite("The time zones of this system")
struct SystemTimeZoneTests {
    private static let zones = SystemTimeZones(environment: [:])

    private static func rules(_ name: String) throws -> TimeZoneRules {
        try TimeZoneRules(tzif: try zones.bytes(of: name))
    }

    /// The lines that the script prints, split into words.
    private static func expected(_ what: String) throws -> [[Substring]] {
        let script = repositoryFile("Tests/time-zones/expected")
        let result = try Shell.run("exec \(Shell.quote(script)) \(what)")
        try #require(result.status == 0, "\(result.output)")
        return result.output.split(separator: "\n").map { $0.split(separator: " ") }
    }

    /// The pairs of numbers after the letter of a line.
    private static func pairs(_ words: [Substring]) throws -> [(Int, Int)] {
        let numbers = words.dropFirst().compactMap { Int($0) }
        try #require(numbers.count == words.count - 1 && numbers.count % 2 == 0)
        return stride(from: 0, to: numbers.count, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
    }

    @Test("all have the same offsets, local times and starts of days as in Python")
    func all() throws {
        var (names, compared) = (0, 0)
        var rules = TimeZoneRules.utc
        var name: Substring = ""
        for words in try Self.expected("zones") {
            guard words[0] != "Z" else {
                name = words[1]
                let all = try words.dropFirst().map { try Self.rules(String($0)) }
                rules = all[0]
                #expect(all.allSatisfy { $0 == rules }, "\(words)")
                names += all.count
                continue
            }
            let pairs = try Self.pairs(words)
            let differing = pairs.first { argument, result in
                switch words[0] {
                case "O": rules.offset(at: Date(wholeSeconds: argument)) != result
                case "L": rules.instant(ofLocal: argument) != result
                default: rules.startOfDay(after: argument) != result
                }
            }
            #expect(differing == nil, "\(name) \(words[0])")
            compared += pairs.count
        }
        #expect(names > 400 && compared > 100_000, "\(names) zones, \(compared) comparisons")
    }

    @Test("start meetings at the same times as in Python, and show them in the agenda's zone")
    func meetings() throws {
        let lines = try Self.expected("meetings")
        let berlin = try Self.rules("Europe/Berlin")
        let (from, to) = (Date(timeIntervalSince1970: 1_798_675_200), Date(timeIntervalSince1970: 1_862_000_000))
        var compared = 0
        for place in stride(from: 0, to: lines.count, by: 3) {
            let (head, begins, shown) = (lines[place], lines[place + 1].dropFirst(), lines[place + 2].dropFirst())
            let name = String(head[1])
            let meeting = Agenda.Meeting(
                name: "Daily", days: Weekday.allCases.map { .weekday($0) }, at: try #require(TimeOfDay(head[2])),
                duration: 60, zone: name)
            var zones = ["Europe/Berlin": berlin]
            zones[name] = try Self.rules(name)
            let calendar = try AgendaCalendar(
                Agenda(zone: "Europe/Berlin", meetings: [meeting]), machine: .utc, zones: zones)
            let found = calendar.occurrences(from: from, to: to).filter { occurrence in
                // The range is a little wider than the years that the script covers.
                begins.first.flatMap { Double($0) }.map { $0 <= occurrence.begin.timeIntervalSince1970 } ?? false
            }.prefix(begins.count)
            #expect(found.map { $0.begin.wholeSeconds } == begins.map { Int($0) }, "\(head)")
            let local = found.flatMap { occurrence in
                let local = calendar.localTime(of: occurrence.begin)
                return [local.day.description, local.at.description]
            }
            #expect(local == shown.map(String.init), "\(head)")
            compared += found.count
            // A run that ends at that time of day ends at the next of these instants.
            let time = try #require(TimeOfDay(head[2]))
            let rules = try #require(zones[name])
            for (begin, next) in zip(found, found.dropFirst()) {
                for seconds in [0.0, 1, 43_200, begin.begin.distance(to: next.begin) - 1] {
                    #expect(rules.next(time, after: begin.begin.addingTimeInterval(seconds)) == next.begin, "\(head)")
                }
            }
        }
        #expect(compared == 4 * 9 * 731)
    }

    @Test("include the machine's own zone, with a valid file")
    func machine() throws {
        let zone = try SystemTimeZones(environment: ProcessInfo.processInfo.environment).machine()
        _ = try TimeZoneRules(tzif: zone.bytes)
        #expect(zone.name.map { ZoneName.isValid($0) } ?? true)
    }
}
