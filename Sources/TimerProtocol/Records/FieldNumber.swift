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

extension FieldNumber where Self: FieldValue, Bounds == ClosedRange<Self> {
    package static func read(_ value: PayloadValue, _ bounds: ClosedRange<Self>) throws(Refusal) -> Self {
        guard let number = Self(value.json, in: bounds) else { throw value.refusal(expected: expected(bounds)) }
        return number
    }
}

extension Int: FieldValue {
    package func write(to writer: inout JSONWriter, _ bounds: ClosedRange<Int>) { writer.value(self) }

    package static func schema(_ bounds: ClosedRange<Int>) -> JSON {
        ["type": "integer", "minimum": .integer(bounds.lowerBound), "maximum": .integer(bounds.upperBound)]
    }
    package var isOmitted: Bool { self == 0 }
}

extension Double: FieldValue {
    package func write(to writer: inout JSONWriter, _ bounds: ClosedRange<Double>) { writer.value(self) }

    package static func schema(_ bounds: ClosedRange<Double>) -> JSON {
        ["type": "number", "minimum": .number(bounds.lowerBound), "maximum": .number(bounds.upperBound)]
    }
}

/// The times that a field may have, and how its number counts them.
package struct TimeBounds {
    package enum Unit {
        /// A number of seconds, to the millisecond.
        case seconds
        /// A whole number of milliseconds, rounded down.
        case milliseconds
        /// A whole number of microseconds, rounded down.
        case microseconds
        /// Attoseconds, as the standard library's `Codable` has them: the two halves of 128 bits.
        case attoseconds

        /// What the number counts, where it is whole.
        fileprivate var whole: Duration? {
            switch self {
            case .seconds, .attoseconds: nil
            case .milliseconds: .milliseconds(1)
            case .microseconds: .microseconds(1)
            }
        }
    }

    package let range: ClosedRange<Duration>
    package let unit: Unit

    package init(_ range: ClosedRange<Duration>, in unit: Unit = .seconds) {
        self.range = range
        self.unit = unit
    }

    /// What an instant may be, before the clock's zero too, in microseconds.
    package static var instants: Self { Self(.instants, in: .microseconds) }
    /// What a clock shows, in microseconds.
    package static var clocks: Self { Self(.clocks, in: .microseconds) }
    /// What an instant may be and how long something takes, as exactly as it is known.
    package static var exact: Self { Self(.instants, in: .attoseconds) }
    /// How long something takes, in seconds.
    package static var lengths: Self { Self(.lengths) }

    /// How many of a unit there may be.
    fileprivate func counts(of unit: Duration) -> ClosedRange<Int> {
        range.lowerBound.count(of: unit)...range.upperBound.count(of: unit)
    }
}

extension Duration: FieldValue {
    package static func read(_ value: PayloadValue, _ bounds: TimeBounds) throws(Refusal) -> Duration {
        if let unit = bounds.unit.whole { return unit * (try Int.read(value, bounds.counts(of: unit))) }
        let time = bounds.unit == .attoseconds ? Duration(halves: value.json) : Duration(number: value.json)
        guard let time, bounds.range.contains(time) else {
            throw value.refusal(expected: expected(bounds.range))
        }
        return time
    }

    package func write(to writer: inout JSONWriter, _ bounds: TimeBounds) {
        if let unit = bounds.unit.whole { return writer.value(count(of: unit)) }
        guard bounds.unit == .attoseconds else { return writer.value(self) }
        writer.open("[")
        writer.value(Int(truncatingIfNeeded: attoseconds >> 64))
        writer.value(UInt(truncatingIfNeeded: attoseconds))
        writer.close("]")
    }

    package static func schema(_ bounds: TimeBounds) -> JSON {
        if let unit = bounds.unit.whole { return Int.schema(bounds.counts(of: unit)) }
        if bounds.unit == .attoseconds { return ["type": "array", "items": ["type": "integer"]] }
        return Double.schema(bounds.range.lowerBound.inSeconds...bounds.range.upperBound.inSeconds)
    }

    /// Reads the two halves of 128 bits. JSON has the lower one only to 53 bits, which is less than a nanosecond, and clocks
    /// count nanoseconds.
    private init?(halves: JSON) {
        guard case .array(let halves) = halves, halves.count == 2,
            let high = Int(halves[0], in: -1 << 40...1 << 40),
            let low = Int(number: halves[1]).map({ Int128($0) })
                ?? Double(number: halves[1]).flatMap({ Int128(exactly: $0) }),
            (0...1 << 64).contains(low)
        else { return nil }
        let (nanosecond, sum) = (Int128(1_000_000_000), Int128(high) << 64 + low)
        let half = sum < 0 ? -nanosecond / 2 : nanosecond / 2
        self.init(attoseconds: (sum + half) / nanosecond * nanosecond)
    }
}
