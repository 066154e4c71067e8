internal import TimerEngine

/// A time of day to the minute, on the 24-hour clock, such as `09:15`. It has no time zone.
public struct TimeOfDay: Hashable, Sendable {
    /// The hour, 0…23.
    public let hour: Int
    /// The minute, 0…59.
    public let minute: Int

    /// The start of a day.
    static let midnight = TimeOfDay()

    private init() { (hour, minute) = (0, 0) }

    /// A time of day; nil if there is no such time.
    public init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = hour
        self.minute = minute
    }

    /// The time expressed by a string such as `19:00` or `9:15`; nil for any other string.
    public init?(_ text: some StringProtocol) {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 2, (1...2).contains(fields[0].utf8.count), fields[1].utf8.count == 2,
            let hour = WholeNumber.parse(fields[0]), let minute = WholeNumber.parse(fields[1])
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    /// The minute that contains a second of the day. A second outside the day is clamped to it.
    package init(secondOfDay second: Int) {
        let minutes = min(max(0, second), 86_399) / 60
        (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    }

    /// The seconds from midnight to the time, on a day on which the clock does not change.
    package var secondOfDay: Int { hour * 3600 + minute * 60 }
}

extension TimeOfDay: Comparable {
    /// Whether a time is earlier in the day than another one.
    public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool {
        (one.hour, one.minute) < (other.hour, other.minute)
    }
}

extension TimeOfDay: CustomStringConvertible {
    /// The time as text of five characters, such as `09:15`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the time as text.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(twoDigits: hour)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: minute)
    }
}

/// A day of the week; configurations and payloads use its three-letter abbreviation.
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
    /// Returns the index of that day in the week, 0 for Monday to 6 for Sunday.
    package static func index(daysSince1970 days: Int) -> Int {
        // 1 January 1970 was a Thursday. The sum is not negative for any day since then.
        (days % 7 + 7 + 3) % 7
    }

    /// The weekday of the day that is this many days after 1 January 1970.
    package init(daysSince1970 days: Int) { self = Self.allCases[Self.index(daysSince1970: days)] }
}

/// Durations as people write them, in a configuration and over MQTT: `90`, `1:30`, `0:01:30`, `500ms`, `90s`, `2m`,
/// `1h`, `1h30m`.
package enum DurationText {
    private static let units: [(suffix: String, milliseconds: Int)] = [
        ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// The duration expressed by a string; nil for any other string.
    package static func duration(_ text: String) -> Duration? {
        if let seconds = TimeText.seconds(text) { return .seconds(seconds) }
        return durationWithUnit(text)
    }

    /// The duration expressed by a string with one or more units, the largest first, such as `90m` or `1h30m`; nil for
    /// any other string.
    package static func durationWithUnit(_ text: String) -> Duration? {
        var rest = text[...]
        var milliseconds = 0
        var smaller = units[...]
        repeat {
            let digits = rest.prefix { $0.isWholeNumber }
            let suffix = rest[digits.endIndex...].prefix { !$0.isWholeNumber }
            guard let count = WholeNumber.parse(digits),
                let place = smaller.firstIndex(where: { $0.suffix == suffix })
            else { return nil }
            milliseconds += count * units[place].milliseconds
            smaller = units[(place + 1)...]
            rest = rest[suffix.endIndex...]
        } while !rest.isEmpty
        return .milliseconds(milliseconds)
    }

    /// The whole seconds expressed by a string with units; nil for any other string and for fractions of a second.
    package static func secondsWithUnit(_ text: String) -> Int? { durationWithUnit(text).flatMap(wholeSeconds) }

    /// The whole seconds expressed by a string; nil for any other string and for fractions of a second.
    package static func seconds(_ text: String) -> Int? { duration(text).flatMap(wholeSeconds) }

    private static func wholeSeconds(_ duration: Duration) -> Int? {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0 ? Int(seconds) : nil
    }

    /// The whole seconds expressed by a string with or without a sign; nil for any other string.
    package static func signedSeconds(_ text: String) -> Int? {
        let isNegative = text.hasPrefix("-")
        let seconds = seconds(isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text)
        return isNegative ? seconds.map { -$0 } : seconds
    }

    /// The shortest string for a duration of whole milliseconds.
    package static func text(_ duration: Duration) -> String {
        let milliseconds = duration.count(of: .milliseconds(1))
        return milliseconds.isMultiple(of: 1000) ? text(seconds: milliseconds / 1000) : "\(milliseconds)ms"
    }

    /// The shortest string for a number of seconds.
    package static func text(seconds: Int) -> String {
        if seconds > 0, seconds.isMultiple(of: 3600) {
            "\(seconds / 3600)h"
        } else if seconds > 0, seconds.isMultiple(of: 60) {
            "\(seconds / 60)m"
        } else {
            "\(seconds)s"
        }
    }
}

/// Times of a timer as people write them.
package enum TimeText {
    /// The seconds in `90`, `1:30` or `0:01:30`.
    ///
    /// - Parameter text: up to three fields of ASCII digits: seconds, minutes and seconds, or hours, minutes and
    ///   seconds. All but the first field have two digits up to 59; the first has one to six digits.
    /// - Returns: the seconds, 0 or more; nil for any other string.
    package static func seconds(_ text: some StringProtocol) -> Int? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let first = fields.first, fields.count <= 3, var total = WholeNumber.parse(first) else { return nil }
        for field in fields.dropFirst() {
            guard field.utf8.count == 2, let value = WholeNumber.parse(field), value < 60 else { return nil }
            total = total * 60 + value
        }
        return total
    }
}

/// Unsigned numbers, as people write them.
package enum WholeNumber {
    /// The number expressed by one to six ASCII digits; nil for any other string. With at most six digits, no
    /// arithmetic on the number overflows.
    package static func parse(_ text: some StringProtocol) -> Int? {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}

extension Duration {
    /// Returns how many times `divisor` fits into the duration, clamped to the range of `Int`.
    package func count(of divisor: Duration) -> Int {
        Int(clamping: attoseconds / divisor.attoseconds)
    }
}
