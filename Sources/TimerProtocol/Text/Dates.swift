package import FoundationEssentials

/// A day of the Gregorian calendar in the years 1970 to 9999, such as `2026-11-24`. It has no time zone.
public struct CivilDate: Hashable, Sendable {
    /// The year, 1970…9999.
    public let year: Int
    /// The month, 1…12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// The permitted number of days since 1970 for a date.
    package static let days = 0...daysSince1970(9999, 12, 31)

    /// The first date, 1970-01-01.
    static let first: Self = .init()

    private init() { (year, month, day) = (1970, 1, 1) }

    /// A date; nil if the calendar has no such day or the year is outside 1970 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month),
            (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date expressed by a string such as `2026-11-24`; nil for any other string.
    public init?(_ text: some StringProtocol) {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, fields.map(\.utf8.count) == [4, 2, 2], let year = WholeNumber.parse(fields[0]),
            let month = WholeNumber.parse(fields[1]), let day = WholeNumber.parse(fields[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The date a number of days after 1 January 1970, clamped to the years 1970 to 9999.
    public init(daysSince1970 days: Int) {
        (year, month, day) = Self.civil(days: min(max(Self.days.lowerBound, days), Self.days.upperBound))
    }

    /// The days from 1 January 1970 to the date.
    public var daysSince1970: Int { Self.daysSince1970(year, month, day) }

    /// The day of the week.
    public var weekday: Weekday { Weekday(daysSince1970: daysSince1970) }

    /// Returns the date a number of days later, or earlier if the number is negative, clamped to the years 1970 to
    /// 9999.
    public func adding(days: Int) -> CivilDate {
        let sum = daysSince1970.addingReportingOverflow(days)
        return CivilDate(daysSince1970: sum.overflow ? (days > 0 ? .max : .min) : sum.partialValue)
    }
}

extension CivilDate: Comparable {
    /// Whether a date is earlier than another one.
    public static func < (one: CivilDate, other: CivilDate) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }
}

extension CivilDate: CustomStringConvertible {
    /// The date as text, such as `2026-11-24`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the date as text.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(twoDigits: year / 100)
        bytes.append(twoDigits: year % 100)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(twoDigits: month)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(twoDigits: day)
    }
}

// The algorithms are from Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013. Years are counted from
// March, so a leap day is the last day of its year. 400 years have 146,097 days, and year 0 begins on day -719,468.
extension CivilDate {
    /// Returns the days from 1 January 1970 to a date in the Gregorian calendar, in any year.
    package static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the number of days in a month.
    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether a year has a 29 February.
    package static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// Returns the date a number of days, 0 or more, after 1 January 1970.
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

/// Reads dates as RFC 3339 defines them, such as `2026-11-20T12:00:00.5+01:00`, and refuses all other strings.
///
/// There is no 30 February and no 24:00. `t` and `z` may be lower case. The second may be 60 where a leap second is
/// possible, at the end of June and of December in UTC. It is treated as the second after it, as on Unix.
package struct RFC3339 {
    private var bytes: Substring.UTF8View

    /// The date expressed by a string; nil for any other string.
    package static func date(_ text: String) -> Date? {
        var reader = RFC3339(bytes: text[...].utf8)
        return reader.date()
    }

    private mutating func date() -> Date? {
        guard let year = number(4), consume("-"), let month = number(2), consume("-"), let day = number(2),
            consume("T", "t"),
            let hour = number(2), consume(":"), let minute = number(2), consume(":"), let second = number(2),
            let fraction = self.fraction(), let offset = self.offset(), bytes.isEmpty
        else { return nil }
        guard (1...12).contains(month), (1...CivilDate.days(in: month, of: year)).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        let days = CivilDate.daysSince1970(year, month, day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        guard second < 60 || Self.mayFollowLeapSecond(seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// Consumes a number with exactly this many digits.
    private mutating func number(_ digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = self.digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private mutating func digit() -> Int? {
        guard let byte = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        bytes.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }

    private mutating func consume(_ letters: Unicode.Scalar...) -> Bool {
        guard let byte = bytes.first, letters.contains(where: { UInt8(ascii: $0) == byte }) else { return false }
        bytes.removeFirst()
        return true
    }

    /// Consumes a decimal point and the fraction of a second after it. The result is 0 if there is no point, and nil if
    /// no digit follows the point.
    private mutating func fraction() -> Double? {
        guard consume(".") else { return 0 }
        guard let first = self.digit() else { return nil }
        var (value, weight) = (Double(first) / 10, 0.01)
        while let digit = self.digit() {
            value += Double(digit) * weight
            weight /= 10
        }
        return value
    }

    /// Consumes the offset: the seconds by which local time is ahead of UTC.
    private mutating func offset() -> Int? {
        if consume("Z", "z") { return 0 }
        let isBehind = bytes.first == UInt8(ascii: "-")
        guard consume("+", "-"), let hours = number(2), consume(":"), let minutes = number(2), hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
    }

    /// Whether a leap second may end at this instant, which is possible at the beginning of July and of January.
    private static func mayFollowLeapSecond(_ seconds: Int) -> Bool {
        guard seconds.isMultiple(of: 86_400) else { return false }
        let year = 1970 + Int((Double(seconds) / 31_556_952).rounded())
        return (year - 1...year + 1).contains { year in
            [1, 7].contains { CivilDate.daysSince1970(year, $0, 1) * 86_400 == seconds }
        }
    }
}

/// Wall-clock dates as RFC 3339 strings, in UTC to the millisecond: `2026-11-20T12:00:00.123Z`.
package enum Timestamp {
    /// The dates that can be written: the years 1970 to 9999.
    package static let range = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799.999)

    /// The date expressed by an RFC 3339 string, with or without a fraction; nil for any other string.
    package static func date(_ text: String) -> Date? { RFC3339.date(text) }
}

// The string is computed directly, since each state has two dates and Foundation takes a hundred times as long.
extension Timestamp {
    /// A date as text.
    ///
    /// - Parameter digits: the number of digits in the fraction of the second: 3 or 6.
    package static func text(_ date: Date, digits: Int = 3) -> String {
        var bytes: [UInt8] = []
        append(date, digits: digits, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a date as text. A date outside ``range`` is clamped to it.
    package static func append(_ date: Date, digits: Int = 3, to bytes: inout [UInt8]) {
        let date = min(max(range.lowerBound, date), range.upperBound)
        let second = digits == 3 ? 1000 : 1_000_000
        let fractions = Int((date.timeIntervalSince1970 * Double(second)).rounded())
        let (seconds, fraction) = fractions.quotientAndRemainder(dividingBy: second)
        let time = seconds % 86_400

        CivilDate(daysSince1970: (seconds - time) / 86_400).append(to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        bytes.append(twoDigits: time / 3600)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: time / 60 % 60)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: time % 60)
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: fraction, width: digits)
        bytes.append(UInt8(ascii: "Z"))
    }
}
