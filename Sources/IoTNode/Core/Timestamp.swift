internal import FoundationEssentials

/// A wall-clock date as RFC 3339 writes it, in UTC to the millisecond: `2026-11-20T12:00:00.123Z`.
enum Timestamp {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let wholeSeconds = Date.ISO8601FormatStyle()

    /// Reads RFC 3339, with or without a fraction; nil for anything else.
    static func date(_ text: String) -> Date? {
        (try? style.parse(text)) ?? (try? wholeSeconds.parse(text))
    }
}
