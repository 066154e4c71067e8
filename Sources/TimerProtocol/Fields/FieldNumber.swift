internal import TimerEngine

/// A number that a field may have. Whoever reads one has to say its range, so that no arithmetic with what strangers send
/// overflows.
package protocol FieldNumber: Comparable {
    /// How a message describes such a number.
    static var kind: String { get }

    /// Reads the number, of whatever size; nil for another kind of value.
    init?(number: JSON)

    /// The number as a message has it.
    var shown: String { get }
}

extension FieldNumber {
    /// Reads the number; nil for another kind of value and for one out of range.
    package init?(_ json: JSON, in range: ClosedRange<Self>) {
        guard let number = Self(number: json), range.contains(number) else { return nil }
        self = number
    }

    /// How a message describes a number in a range.
    package static func expected(_ range: ClosedRange<Self>) -> String {
        "\(kind) from \(range.lowerBound.shown) to \(range.upperBound.shown)"
    }
}

extension Int: FieldNumber {
    package static let kind = "a whole number"

    /// Reads a whole number, `5.0` too.
    package init?(number: JSON) {
        switch number {
        case .integer(let value): self = value
        case .number(let value): self.init(exactly: value)
        default: return nil
        }
    }

    package var shown: String { "\(self)" }
}

extension Double: FieldNumber {
    package static let kind = "a number"

    package init?(number: JSON) {
        switch number {
        case .integer(let value): self.init(value)
        case .number(let value): self = value
        default: return nil
        }
    }

    package var shown: String { JSON.number(self).text }
}

extension Duration: FieldNumber {
    package static let kind = "a number of seconds"

    /// Reads seconds to the millisecond, which is how they are written.
    package init?(number: JSON) {
        // More than any range has; milliseconds of that many seconds are still a whole number.
        guard let seconds = Double(number: number), abs(seconds) <= 1e15 else { return nil }
        self = .milliseconds(Int64((seconds * 1000).rounded()))
    }

    package var shown: String { JSON.number(inSeconds).text }
}

// MARK: - Ranges

extension ClosedRange<Int> {
    /// What is counted: as much as every reader of JSON has exactly, 2⁵³ − 1.
    package static var counts: Self { 0...9_007_199_254_740_991 }
    /// The places of groups, timers and pages, counted from 1.
    package static var places: Self { 1...999_999 }
    /// The seconds that a display shows. A follower whose clock is a little off may show more than a timer has.
    package static var shownSeconds: Self { 0...2 * 86_400 }
    /// The seconds of a timer.
    package static var timerSeconds: Self { 0...Thresholds.longest }
    /// The seconds of a group's timers, of which one may have more than it began with.
    package static var groupSeconds: Self { 0...(TimerGroup.capacity + 1) * 86_400 }
    /// Seconds of a command: as many as a text can say. What a timer cannot have is refused where it is carried out.
    package static var commandSeconds: Self { -largestSeconds...largestSeconds }
    private static var largestSeconds: Int { 999_999 * 3600 }
}

extension ClosedRange<Duration> {
    /// From a clock's zero, before it too: what began before the last boot. It is the range of an instant.
    package static var instants: Self { .zero - Duration.longest...Duration.longest }
    /// What a clock shows.
    package static var clocks: Self { .zero...Duration.longest }
    /// How long something takes: at most from the first instant to the last one, so that a follower can tell what follows
    /// from instants of its leader.
    package static var lengths: Self { .zero...Duration.longest + Duration.longest }
}
