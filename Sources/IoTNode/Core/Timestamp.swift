internal import FoundationEssentials

/// A wall-clock date as RFC 3339 writes it, in UTC to the millisecond: `2026-11-20T12:00:00.123Z`.
enum Timestamp {
    /// The years that have four digits, and that clocks are set to: 1970 to 9999.
    static let range = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799.999)

    /// Reads RFC 3339, with or without a fraction; nil for anything else.
    static func date(_ text: String) -> Date? { RFC3339.date(text) }
}
