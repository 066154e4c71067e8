/// A time of a day to the minute, in 24 hours, as text `09:15`. It has no time zone.
public struct TimeOfDay: Hashable, Sendable {
    /// The hour, 0…23.
    public let hour: Int
    /// The minute, 0…59.
    public let minute: Int

    /// The begin of a day.
    static let midnight = TimeOfDay()

    private init() { (hour, minute) = (0, 0) }

    /// A time of day; nil where there is no such time.
    public init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = hour
        self.minute = minute
    }

    /// The time that a text such as `19:00` or `9:15` expresses; nil for any other text.
    public init?(_ text: some StringProtocol) {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 2, (1...2).contains(fields[0].utf8.count), fields[1].utf8.count == 2,
            let hour = WholeNumber.parse(fields[0]), let minute = WholeNumber.parse(fields[1])
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    /// The time of the minute that a second of a day is in. For a second outside of the day it is the nearest in it.
    package init(secondOfDay second: Int) {
        let minutes = min(max(0, second), 86_399) / 60
        (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    }

    /// The seconds from midnight to the time, as a clock shows them that nobody sets.
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

    /// Appends the text of the time.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(twoDigits: hour)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(twoDigits: minute)
    }
}
