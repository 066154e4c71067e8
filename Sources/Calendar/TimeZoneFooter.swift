internal import TimerProtocol

/// The offset, or the rule for it, after the last transition of a TZif file.
enum TimeZoneFooter: Hashable, Sendable {
    /// One offset forever.
    case fixed(Int)
    /// Two alternating offsets.
    case daylight(DaylightRule)
}

/// A rule by which the offset changes twice a year.
struct DaylightRule: Hashable, Sendable {
    /// A time that recurs every year.
    struct YearlyTime: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// The day of the year, 1…365, without 29 February.
            case withoutLeapDay(Int)
            /// The day of the year, 0…365.
            case zeroBased(Int)
            /// A weekday, 0 for Sunday, in the 1st to 4th week of a month, or in its last week if `week` is 5.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        let day: Day
        /// The seconds since that day's midnight, up to a week in either direction.
        let second: Int
    }

    let standardOffset: Int
    let daylightOffset: Int
    /// When daylight saving begins, in standard time.
    let begin: YearlyTime
    /// When daylight saving ends, in daylight saving time.
    let end: YearlyTime
}

extension DaylightRule {
    /// Returns the changes in a range of years, in order, no two at the same instant.
    func changes(in years: ClosedRange<Int>) -> [(instant: Int, offset: Int)] {
        var all: [(instant: Int, offset: Int)] = []
        for year in years {
            let begin = (begin.localSecond(in: year) - standardOffset, daylightOffset)
            let end = (end.localSecond(in: year) - daylightOffset, standardOffset)
            all += begin.0 < end.0 ? [begin, end] : [end, begin]
        }
        // If the last change of a year coincides with the first change of the next, the latter counts: this is how a
        // rule expresses that daylight saving never ends. A time may be so far from its day that the years overlap.
        let sorted = all.enumerated().sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
        var changes: [(instant: Int, offset: Int)] = []
        for (_, change) in sorted {
            if changes.last?.instant == change.instant { changes.removeLast() }
            changes.append(change)
        }
        return changes
    }

    /// Returns the stretch that contains an instant.
    func stretch(at instant: Int) -> TimeZoneRules.Stretch {
        let year = Self.year(of: instant)
        let changes = changes(in: year - 2...year + 2)
        let next = changes.firstIndex { $0.instant > instant } ?? changes.count
        let last = next > 0 ? changes[next - 1] : (TimeZoneRules.longAgo, standardOffset)
        return TimeZoneRules.Stretch(
            start: last.0, end: next < changes.count ? changes[next].instant : .max, offset: last.1)
    }

    /// Returns the year of an instant in UTC, 1970…9999.
    static func year(of instant: Int) -> Int { CivilDate(daysSince1970: instant / 86_400).year }
}

extension DaylightRule.YearlyTime {
    /// Returns this time in a given year, in seconds since 1970 as if it were in UTC.
    func localSecond(in year: Int) -> Int {
        let newYear = CivilDate.daysSince1970(year, 1, 1)
        let days: Int
        switch day {
        case .withoutLeapDay(let number): days = newYear + number - (CivilDate.isLeap(year) && number >= 60 ? 0 : 1)
        case .zeroBased(let number): days = newYear + number
        case .weekday(let month, let week, let weekday):
            let first = CivilDate.daysSince1970(year, month, 1)
            // The index of a weekday counts from Monday, the rule from Sunday.
            let index = (Weekday.index(daysSince1970: first) + 1) % 7
            var day = (weekday - index + 7) % 7 + (week - 1) * 7
            if day >= CivilDate.days(in: month, of: year) { day -= 7 }
            days = first + day
        }
        return days * 86_400 + second
    }
}

extension TimeZoneFooter {
    /// Parses a POSIX rule for the variable TZ, such as `CET-1CEST,M3.5.0,M10.5.0/3` or `<+03>-3`.
    ///
    /// Times may be up to 167 hours in either direction, as in version 3 of TZif.
    init(posix bytes: [UInt8]) throws(TimeZoneFault) {
        var reader = PosixReader(rest: bytes[...])
        guard let footer = reader.footer() else {
            throw .invalidRule(String(decoding: bytes, as: UTF8.self).quoted)
        }
        self = footer
    }
}

/// Reads the elements of a rule, one after another. Each method returns nil or false if the next element is of another
/// kind.
private struct PosixReader {
    var rest: ArraySlice<UInt8>

    mutating func footer() -> TimeZoneFooter? {
        guard name(), let standard = offset() else { return nil }
        if rest.isEmpty { return .fixed(standard) }
        guard name() else { return nil }
        var daylight = standard + 3600
        if rest.first != UInt8(ascii: ",") {
            guard let written = offset() else { return nil }
            daylight = written
        }
        guard consume(","), let begin = yearlyTime(), consume(","), let end = yearlyTime(), rest.isEmpty else {
            return nil
        }
        return .daylight(
            DaylightRule(standardOffset: standard, daylightOffset: daylight, begin: begin, end: end))
    }

    private mutating func consume(_ letter: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest.removeFirst()
        return true
    }

    /// Consumes a name: three or more letters or, in angle brackets, any number of letters, digits and signs.
    private mutating func name() -> Bool {
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) }
        guard consume("<") else {
            let letters = rest.prefix(while: isLetter)
            rest = rest[letters.endIndex...]
            return letters.count >= 3
        }
        let name = rest.prefix { isLetter($0) || Self.isDigit($0) || "+-".utf8.contains($0) }
        rest = rest[name.endIndex...]
        return !name.isEmpty && consume(">")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Consumes a number of at most three digits.
    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(while: Self.isDigit)
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(number) ? number : nil
    }

    /// Consumes a time, which may have a sign, and returns it in seconds.
    private mutating func time(hours: ClosedRange<Int>) -> Int? {
        let sign = consume("-") ? -1 : 1
        if sign == 1 { _ = consume("+") }
        guard var seconds = number(hours).map({ $0 * 3600 }) else { return nil }
        for unit in [60, 1] where consume(":") {
            guard let count = number(0...59) else { return nil }
            seconds += count * unit
        }
        return sign * seconds
    }

    /// Consumes an offset. Its sign is inverted, because POSIX counts how far a zone is behind UTC.
    private mutating func offset() -> Int? { time(hours: 0...24).map { -$0 } }

    private mutating func yearlyTime() -> DaylightRule.YearlyTime? {
        guard let day = day() else { return nil }
        guard consume("/") else { return .init(day: day, second: 7200) }
        return time(hours: 0...167).map { .init(day: day, second: $0) }
    }

    private mutating func day() -> DaylightRule.YearlyTime.Day? {
        if consume("J") { return number(1...365).map { .withoutLeapDay($0) } }
        guard consume("M") else { return number(0...365).map { .zeroBased($0) } }
        guard let month = number(1...12), consume("."), let week = number(1...5), consume("."),
            let weekday = number(0...6)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }
}
