package import FoundationEssentials

/// Reads dates as RFC 3339 defines them, such as `2026-11-20T12:00:00.5+01:00`, and refuses all other texts.
///
/// There is no 30 February and no 24:00. `t` and `z` may be lower case. The second may be 60 where a leap second is
/// possible, at the end of June and of December in UTC. It counts as the second after it, as on Unix.
package struct RFC3339 {
    private var bytes: Substring.UTF8View

    /// The date that a text expresses; nil for any other text.
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

    /// Consumes a number of exactly so many digits.
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

    /// Consumes a point and the fraction of a second behind it. The result is 0 where there is no point, and nil where no
    /// digit follows the point.
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

    /// Consumes the offset, which is the seconds that the local time is ahead of UTC.
    private mutating func offset() -> Int? {
        if consume("Z", "z") { return 0 }
        let isBehind = bytes.first == UInt8(ascii: "-")
        guard consume("+", "-"), let hours = number(2), consume(":"), let minutes = number(2), hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
    }

    /// Whether a leap second may end at this instant, which is the case at the beginning of July and of January.
    private static func mayFollowLeapSecond(_ seconds: Int) -> Bool {
        guard seconds.isMultiple(of: 86_400) else { return false }
        let year = 1970 + Int((Double(seconds) / 31_556_952).rounded())
        return (year - 1...year + 1).contains { year in
            [1, 7].contains { CivilDate.daysSince1970(year, $0, 1) * 86_400 == seconds }
        }
    }
}
