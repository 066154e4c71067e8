import FoundationEssentials
import NodeTestSupport
import Testing

@testable import Calendar
@testable import TimerProtocol

@Suite("The rules of a time zone")
struct TimeZoneRulesTests {
    static func date(_ text: String) throws -> Date { try #require(Timestamp.date(text), "\(text) is no date") }

    /// The instant of a local time such as `2027-03-28 02:30`.
    private func instant(_ zone: TimeZoneRules, _ local: String) throws -> String {
        let parts = local.split(separator: " ")
        let (day, time) = (try #require(CivilDate(parts[0])), try #require(TimeOfDay(parts[1])))
        return Timestamp.text(zone.instant(ofLocal: day, time))
    }

    /// The local time of an instant, to the second.
    private func local(_ zone: TimeZoneRules, _ date: String) throws -> String {
        let (day, second) = zone.local(of: try Self.date(date))
        return "\(day) \(TimeOfDay(secondOfDay: second)):\(second % 60)"
    }

    @Test("do not exist in UTC")
    func utc() throws {
        #expect(TimeZoneRules.utc.offset(at: Date(timeIntervalSince1970: 1e9)) == 0)
        #expect(try local(.utc, "2026-11-24T18:59:59Z") == "2026-11-24 18:59:59")
        #expect(try instant(.utc, "2026-11-24 19:00") == "2026-11-24T19:00:00.000Z")
    }

    @Test("skip an hour in spring, and repeat one in autumn")
    func berlin() throws {
        let zone = try TimeZoneRules.berlin()
        #expect(try local(zone, "2027-03-28T00:59:59Z") == "2027-03-28 01:59:59")
        #expect(try local(zone, "2027-03-28T01:00:00Z") == "2027-03-28 03:00:0")
        for skipped in ["02:00", "02:30", "02:59", "03:00"] {
            #expect(try instant(zone, "2027-03-28 \(skipped)") == "2027-03-28T01:00:00.000Z")
        }
        #expect(try instant(zone, "2027-03-28 01:59") == "2027-03-28T00:59:00.000Z")
        #expect(try instant(zone, "2027-03-28 03:01") == "2027-03-28T01:01:00.000Z")
        #expect(try instant(zone, "2027-10-31 02:00") == "2027-10-31T00:00:00.000Z")
        #expect(try instant(zone, "2027-10-31 02:59") == "2027-10-31T00:59:00.000Z")
        #expect(try instant(zone, "2027-10-31 03:00") == "2027-10-31T02:00:00.000Z")
        #expect(try local(zone, "2027-10-31T00:59:59Z") == "2027-10-31 02:59:59")
        #expect(try local(zone, "2027-10-31T01:00:00Z") == "2027-10-31 02:00:0")
        #expect(zone.offset(at: try Self.date("2027-07-01T00:00:00Z")) == 7200)
        #expect(zone.offset(at: try Self.date("9999-12-31T00:00:00Z")) == 3600)
    }

    @Test("may change by half an hour, in the southern summer")
    func lordHowe() throws {
        let zone = try TimeZoneRules.lordHowe()
        #expect(try instant(zone, "2027-10-03 02:15") == "2027-10-02T15:30:00.000Z")
        #expect(try instant(zone, "2027-04-04 01:45") == "2027-04-03T14:45:00.000Z")
        #expect(try instant(zone, "2027-04-04 02:00") == "2027-04-03T15:30:00.000Z")
        #expect(zone.offset(at: try Self.date("2027-01-01T00:00:00Z")) == 39_600)
    }

    @Test(
        "determine when a day begins, which is not always at midnight",
        arguments: [
            // Clocks go from 0:00 to 1:00, and from 0:00 back to 23:00.
            ("<-03>3<-02>,M10.3.0/0,M2.3.0/0", "2027-10-16T12:00:00Z", "2027-10-17T03:00:00.000Z"),
            ("<-03>3<-02>,M10.3.0/0,M2.3.0/0", "2027-02-20T12:00:00Z", "2027-02-21T03:00:00.000Z"),
            ("<-03>3<-02>,M10.3.0/0,M2.3.0/0", "2027-02-21T02:30:00Z", "2027-02-21T03:00:00.000Z"),
            // From 0:01 back to 23:01: the new day has already begun, and the next one begins after it.
            ("NST3:30NDT,M4.1.0/0:01,M10.5.0/0:01", "2027-10-31T02:00:00Z", "2027-10-31T02:30:00.000Z"),
            ("NST3:30NDT,M4.1.0/0:01,M10.5.0/0:01", "2027-10-31T02:31:00Z", "2027-11-01T03:30:00.000Z"),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-27T23:00:00Z", "2027-03-28T22:00:00.000Z"),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-27T22:59:59.999Z", "2027-03-27T23:00:00.000Z"),
        ])
    func startOfDay(rule: String, date: String, start: String) throws {
        let zone = try TimeZoneRules(rule: rule)
        #expect(Timestamp.text(zone.startOfDay(after: try Self.date(date))) == start)
    }

    @Test("may skip a whole day")
    func skippedDay() throws {
        let change = Int(try Self.date("2011-12-30T10:00:00Z").timeIntervalSince1970)
        let zone = try TimeZoneRules(tzif: TZifFile(transitions: [(change, 1)], types: [-36_000, 50_400]).bytes)
        #expect(try local(zone, "2011-12-30T09:59:59Z") == "2011-12-29 23:59:59")
        #expect(try local(zone, "2011-12-30T10:00:00Z") == "2011-12-31 00:00:0")
        for time in ["2011-12-30 00:00", "2011-12-30 19:00", "2011-12-31 00:00"] {
            #expect(try instant(zone, time) == "2011-12-30T10:00:00.000Z")
        }
        #expect(try instant(zone, "2011-12-31 00:01") == "2011-12-30T10:01:00.000Z")
    }

    @Test(
        "may specify the days of changes in other ways",
        arguments: [
            // These rules mean 1 March in every year, and in years without a leap day.
            ("A1B1B0AAA", nil), ("AAA0BBB,J60/0,J300/0", "2028-03-01"), ("AAA0BBB,J60/0,J300/0", "2027-03-01"),
            ("AAA0BBB,59/0,300/0", "2027-03-01"), ("AAA0BBB,59/0,300/0", "2028-02-29"),
            ("AAA0BBB,J1/0,J300/0", "2028-01-01"), ("AAA0BBB,0/0,J300/0", "2028-01-01"),
            // The time of a change may fall on another day, up to a week away.
            ("AAA0BBB,M3.1.1/167,M10.1.0", "2027-03-07"), ("AAA0BBB,J68/-167,M10.1.0", "2027-03-02"),
            ("AAA0BBB,M3.5.0/24,M10.1.0", "2027-03-29"), ("<+00>+0<+01>-1,M3.5.0/+0:00:00,M10.1.0", "2027-03-28"),
            ("AAA0BBB,M2.5.2/0,M10.1.0", "2028-02-29"), ("AAA0BBB,M2.5.1/0,M10.1.0", "2028-02-28"),
        ] as [(String, String?)])
    func forms(rule: String, day: String?) throws {
        guard let day else {
            #expect(throws: TimeZoneFault.self) { try TimeZoneRules(rule: rule) }
            return
        }
        let zone = try TimeZoneRules(rule: rule)
        let (before, after) = (try Self.date("\(day)T00:00:00Z") - 3601, try Self.date("\(day)T23:59:59Z"))
        #expect(zone.offset(at: before - 86_400) == 0, "the day before")
        #expect(zone.offset(at: after) == 3600)
        let change = zone.stretch(at: after.wholeSeconds).start
        #expect(Timestamp.text(Date(wholeSeconds: change)).hasPrefix(day))
    }

    @Test("may specify daylight saving all year")
    func allYear() throws {
        let zone = try TimeZoneRules(rule: "XXX3EDT4,0/0,J365/23")
        for day in stride(from: 0, to: 60_000, by: 1) {
            let instant = day * 86_400 + 3 * 3600
            guard zone.stretch(at: instant).offset == -14_400, zone.stretch(at: instant - 1).offset == -14_400 else {
                Issue.record("day \(day)")
                return
            }
        }
    }

    @Test("repeat every 400 years, whether or not the table contains them")
    func beyondTable() throws {
        for zone in [try TimeZoneRules.berlin(), try .newYork(), try .lordHowe()] {
            for instant in stride(from: 2_300_000_000, to: 4_200_000_000, by: 3_333_333) {
                let (now, later) = (zone.stretch(at: instant), zone.stretch(at: instant + 146_097 * 86_400))
                #expect(now.offset == later.offset)
                let isWithin = now.end < 4_100_000_000
                #expect(!isWithin || now.end + 146_097 * 86_400 == later.end)
                #expect(!isWithin || now.start + 146_097 * 86_400 == later.start)
                let midnight = zone.startOfDay(after: later.end)
                #expect(midnight > later.end && midnight <= later.end + 90_000)
            }
        }
    }

    @Test("apply around a New Year, whether or not the table contains it")
    func newYear() throws {
        // Daylight saving begins at midnight on 1 January, which is noon on the day before in UTC.
        let zone = try TimeZoneRules(rule: "AAA-12BBB,J1/0,J300/0")
        for year in [2099, 2100, 2101] {
            let change = try Self.date("\(year)-12-31T12:00:00Z")
            #expect(zone.offset(at: change - 1) == 43_200)
            #expect(zone.offset(at: change) == 46_800)
        }
    }

    @Test("work even for absurd dates", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, -1, 0])
    func absurd(seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        for zone in [try TimeZoneRules.berlin(), try .newYork(), .utc] {
            #expect(abs(zone.offset(at: date)) < 40_000)
            #expect(zone.startOfDay(after: date).timeIntervalSince1970.isFinite)
            _ = zone.local(of: date)
            _ = zone.instant(ofLocal: CivilDate(daysSince1970: .max), TimeOfDay(secondOfDay: .max))
            _ = zone.instant(ofLocal: CivilDate(daysSince1970: 0), TimeOfDay(secondOfDay: 0))
        }
    }
}
