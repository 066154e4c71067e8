/// A day of the week, by the three letters that configurations and payloads have for it.
public enum Weekday: String, CaseIterable, Hashable, Sendable {
    /// Monday.
    case mon
    /// Tuesday.
    case tue
    /// Wednesday.
    case wed
    /// Thursday.
    case thu
    /// Friday.
    case fri
    /// Saturday.
    case sat
    /// Sunday.
    case sun
}

extension Weekday {
    /// The place in the week, 0 for Monday to 6 for Sunday.
    package static func index(daysSince1970 days: Int) -> Int {
        // 1 January 1970 was a Thursday. The sum is not negative for any day since then.
        (days % 7 + 7 + 3) % 7
    }

    /// The weekday of a day, by the days from 1 January 1970 to it.
    package init(daysSince1970 days: Int) { self = Self.allCases[Self.index(daysSince1970: days)] }
}
