internal import FoundationEssentials

/// A wall-clock date as RFC 3339 writes it, in UTC to the millisecond: `2026-11-20T12:00:00.123Z`.
enum Timestamp {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The years that have four digits, and that clocks are set to: 1970 to 9999.
    static let range = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799.999)

    /// A date as text; one of another year as the nearest moment that can be written.
    static func text(_ date: Date) -> String {
        let date = min(max(range.lowerBound, date), range.upperBound)
        // The style cuts, and a date is a binary fraction: half a millisecond makes the cut a rounding.
        return style.format(min(date.addingTimeInterval(0.0005), range.upperBound))
    }

    /// Reads RFC 3339, with or without a fraction; nil for anything else.
    static func date(_ text: String) -> Date? { RFC3339.date(text) }
}
