import FoundationEssentials
import TestSupport
import Testing

@testable import TimerProtocol

@Suite("A day without a zone")
struct CivilDateTests {
    @Test("follows the day before it, from 1970 until after the next century year that is not a leap year")
    func everyDay() throws {
        var (year, month, day) = (1970, 1, 1)
        for days in 0..<55_000 {
            let date = CivilDate(daysSince1970: days)
            guard (date.year, date.month, date.day) == (year, month, day), date.daysSince1970 == days else {
                Issue.record("\(date) is not \(year)-\(month)-\(day), day \(days)")
                return
            }
            #expect(date.weekday == Weekday.allCases[(days + 3) % 7])
            let isLeap = year % 4 == 0 && year != 2100
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test("is written in the form in which it is read", arguments: SeededGenerator.seeds(20))
    func text(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let date = CivilDate(daysSince1970: Int.random(in: CivilDate.days, using: &random))
            #expect(CivilDate(date.description) == date)
            #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
            #expect(RFC3339.date("\(date)T00:00:00Z")?.timeIntervalSince1970 == Double(date.daysSince1970 * 86_400))
        }
    }

    @Test(
        "is refused if it is written in another format or does not exist",
        arguments: [
            "", "2026", "2026-11", "2026-1-01", "2026-11-1", "26-11-24", "02026-11-24", "2026-11-24 ", " 2026-11-24",
            "2026/11/24", "2026-11-24T", "-2026-11-24", "2026-00-01", "2026-13-01", "2026-11-00", "2026-11-31",
            "2026-02-29", "2100-02-29", "1969-12-31", "0000-01-01", "+026-11-24", "٢٠٢٦-11-24", "2026-11--1",
        ])
    func noDate(text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test("has leap days", arguments: ["2024-02-29", "2000-02-29", "9996-02-29"])
    func leapDay(text: String) {
        #expect(CivilDate(text)?.description == text)
        #expect(CivilDate(text)?.adding(days: 1).description == text.prefix(4) + "-03-01")
    }

    @Test("stays within the years 1970 to 9999, no matter what is added")
    func ends() throws {
        let (first, last) = (CivilDate(daysSince1970: .min), CivilDate(daysSince1970: .max))
        #expect("\(first)" == "1970-01-01" && "\(last)" == "9999-12-31")
        #expect(first.adding(days: -1) == first && last.adding(days: 1) == last)
        #expect(last.adding(days: .max) == last && last.adding(days: .min) == first)
        #expect(first.adding(days: .max) == last)
        #expect(first < last && !(last < first) && !(first < first))
        #expect(try #require(CivilDate("2026-11-24")) < #require(CivilDate("2026-12-01")))
    }

    @Test("has the same weekday as in a calendar")
    func weekday() throws {
        #expect(CivilDate("2026-11-24")?.weekday == .tue)
        #expect(CivilDate("1970-01-01")?.weekday == .thu)
        #expect(CivilDate("2000-02-29")?.weekday == .tue)
        #expect(CivilDate("9999-12-31")?.weekday == .fri)
    }
}

@Suite("A time of day")
struct TimeOfDayTests {
    @Test("is written with two digits for each field, and may be read with one digit for the hour")
    func text() {
        for minute in 0..<1440 {
            let time = TimeOfDay(secondOfDay: minute * 60 + 59)
            #expect(TimeOfDay(time.description) == time)
            #expect(time.secondOfDay == minute * 60)
        }
        #expect(TimeOfDay("9:15")?.description == "09:15")
        #expect(TimeOfDay("0:00")?.secondOfDay == 0)
        #expect(TimeOfDay(secondOfDay: .max).description == "23:59" && TimeOfDay(secondOfDay: .min).secondOfDay == 0)
        #expect(TimeOfDay(secondOfDay: 600) < TimeOfDay(secondOfDay: 3600))
    }

    @Test(
        "is refused if there is no such time",
        arguments: [
            "", "24:00", "25:00", "19:60", "19", "19:0", "19:000", "19:00:00", "019:00", ":00", "19:", "7pm", "19.00",
            "-1:00", "+1:00", "1٩:00", "19:00 ",
        ])
    func noTime(text: String) {
        #expect(TimeOfDay(text) == nil)
    }
}
