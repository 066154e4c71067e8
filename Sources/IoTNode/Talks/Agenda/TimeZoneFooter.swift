internal import TimerProtocol

/// What holds after the last transition of a TZif file.
enum TimeZoneFooter: Hashable, Sendable {
    /// One offset, for ever.
    case fixed(Int)
    /// Two of them in turn.
    case daylight(DaylightRule)
}

/// The offset changes twice in each year.
struct DaylightRule: Hashable, Sendable {
    /// A time of a year, as it comes each year.
    struct YearlyTime: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// The day of the year, 1…365, without 29 February.
            case withoutLeapDay(Int)
            /// The day of the year, 0…365.
            case zeroBased(Int)
            /// A weekday, 0 for Sunday, of the 1st to 4th week of a month, or of its last where the week is 5.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        let day: Day
        /// The seconds since that day's midnight, up to a week in either direction.
        let second: Int
    }

    let standardOffset: Int
    let daylightOffset: Int
    /// When daylight saving begins, by the clocks before it.
    let begin: YearlyTime
    /// When it ends, by the clocks before that.
    let end: YearlyTime
}

extension DaylightRule {
    /// The changes in some years, in order, no two at the same instant.
    func changes(in years: ClosedRange<Int>) -> [(instant: Int, offset: Int)] {
        var all: [(instant: Int, offset: Int)] = []
        for year in years {
            let begin = (begin.localSecond(in: year) - standardOffset, daylightOffset)
            let end = (end.localSecond(in: year) - daylightOffset, standardOffset)
            all += begin.0 < end.0 ? [begin, end] : [end, begin]
        }
        // Where one year's last change comes at the instant of the next year's first, the latter counts: so a rule says
        // that daylight saving never ends. A time may be so far from its day that the years overlap.
        let sorted = all.enumerated().sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
        var changes: [(instant: Int, offset: Int)] = []
        for (_, change) in sorted {
            if changes.last?.instant == change.instant { changes.removeLast() }
            changes.append(change)
        }
        return changes
    }

    /// The stretch that an instant is in.
    func stretch(at instant: Int) -> TimeZoneRules.Stretch {
        let year = Self.year(of: instant)
        let changes = changes(in: year - 2...year + 2)
        let next = changes.firstIndex { $0.instant > instant } ?? changes.count
        let last = next > 0 ? changes[next - 1] : (TimeZoneRules.longAgo, standardOffset)
        return TimeZoneRules.Stretch(
            start: last.0, end: next < changes.count ? changes[next].instant : .max, offset: last.1)
    }

    /// The year of an instant in UTC, 1970…9999.
    static func year(of instant: Int) -> Int { CivilDate(daysSince1970: instant / 86_400).year }
}

extension DaylightRule.YearlyTime {
    /// The time in a year, in seconds since 1970 as if it were in UTC.
    func localSecond(in year: Int) -> Int {
        let newYear = CivilDate.daysSince1970(year, 1, 1)
        let days: Int
        switch day {
        case .withoutLeapDay(let number): days = newYear + number - (CivilDate.isLeap(year) && number >= 60 ? 0 : 1)
        case .zeroBased(let number): days = newYear + number
        case .weekday(let month, let week, let weekday):
            let first = CivilDate.daysSince1970(year, month, 1)
            // The index of weekdays begins with Monday, that of the rule with Sunday.
            let index = (Weekday.index(daysSince1970: first) + 1) % 7
            var day = (weekday - index + 7) % 7 + (week - 1) * 7
            if day >= CivilDate.days(in: month, of: year) { day -= 7 }
            days = first + day
        }
        return days * 86_400 + second
    }
}
