internal import FoundationEssentials

/// A wall-clock date as RFC 3339 writes it, in UTC to the millisecond: `2026-11-20T12:00:00.123Z`.
enum Timestamp {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func text(_ date: Date) -> String {
        // The style cuts, and a date is a binary fraction: half a millisecond makes the cut a rounding.
        style.format(date.addingTimeInterval(0.0005))
    }

    /// Reads RFC 3339, with or without a fraction; nil for anything else.
    static func date(_ text: String) -> Date? { RFC3339.date(text) }
}
