package import FoundationEssentials

/// A wall-clock date as RFC 3339 writes it, in UTC to the millisecond: `2026-11-20T12:00:00.123Z`.
package enum Timestamp {
    /// The years that have four digits, and that clocks are set to: 1970 to 9999.
    package static let range = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799.999)

    /// Reads RFC 3339, with or without a fraction; nil for anything else.
    package static func date(_ text: String) -> Date? { RFC3339.date(text) }
}

// Written by arithmetic: Foundation's style takes a hundred times as long, and each state has two dates.
extension Timestamp {
    private static let millisecondsADay = 86_400_000

    package static func text(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text's bytes; a date outside of ``range`` is written as the nearest in it.
    package static func append(_ date: Date, to bytes: inout [UInt8]) {
        let date = min(max(range.lowerBound, date), range.upperBound)
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let time = milliseconds % millisecondsADay
        let (year, month, day) = civil(days: (milliseconds - time) / millisecondsADay)

        bytes.append(twoDigits: year / 100)
        bytes.append(twoDigits: year % 100)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(twoDigits: month)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(twoDigits: day)
        bytes.append(UInt8(ascii: "T"))
        bytes.append(twoDigits: time / 3_600_000)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: time / 60_000 % 60)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: time / 1000 % 60)
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: time % 1000, width: 3)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// The date that is so many days after 1 January 1970.
    ///
    /// In years that begin in March, so that a leap day is the last of its year: Howard Hinnant, "chrono-Compatible
    /// Low-Level Date Algorithms", 2013.
    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let fromYear0 = days + 719_468
        let era = fromYear0 / 146_097
        let dayOfEra = fromYear0 % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month < 3 ? 1 : 0), month, day)
    }
}
