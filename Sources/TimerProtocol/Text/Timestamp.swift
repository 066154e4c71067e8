package import FoundationEssentials

/// Wall-clock dates as texts of RFC 3339, in UTC to the millisecond: `2026-11-20T12:00:00.123Z`.
package enum Timestamp {
    /// The dates that can be written: those of the years 1970 to 9999.
    package static let range = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799.999)

    /// The date that a text of RFC 3339 expresses, with or without a fraction; nil for any other text.
    package static func date(_ text: String) -> Date? { RFC3339.date(text) }
}

// The text is made by arithmetic, since each state has two dates and Foundation takes a hundred times as long for one.
extension Timestamp {
    private static let millisecondsADay = 86_400_000

    package static func text(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of a date. For a date outside of ``range`` the nearest date in it is written.
    package static func append(_ date: Date, to bytes: inout [UInt8]) {
        let date = min(max(range.lowerBound, date), range.upperBound)
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let time = milliseconds % millisecondsADay

        CivilDate(daysSince1970: (milliseconds - time) / millisecondsADay).append(to: &bytes)
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
}
