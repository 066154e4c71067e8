internal import TimerEngine

/// A number that a field may contain. A reader must specify its range, so arithmetic with untrusted values cannot
/// overflow.
package protocol FieldNumber: Comparable {
    /// The description of such a number in messages.
    static var kind: String { get }

    /// Reads the number, of any size; nil for another kind of value.
    init?(number: JSON)

    /// The number in the form used in messages.
    var shown: String { get }
}

extension FieldNumber {
    /// Reads the number; nil for another kind of value and for one out of range.
    package init?(_ json: JSON, in range: ClosedRange<Self>) {
        guard let number = Self(number: json), range.contains(number) else { return nil }
        self = number
    }

    /// The description of a number in a range, for messages.
    package static func expected(_ range: ClosedRange<Self>) -> String {
        "\(kind) from \(range.lowerBound.shown) to \(range.upperBound.shown)"
    }
}

extension Int: FieldNumber {
    package static let kind = "a whole number"

    /// Reads a whole number; `5.0` is also accepted.
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

    /// Reads seconds and rounds them to the millisecond, as the writer does.
    package init?(number: JSON) {
        // The limit is above every range, and that many seconds in milliseconds still fit into an `Int64`.
        guard let seconds = Double(number: number), abs(seconds) <= 1e15 else { return nil }
        self = .milliseconds(Int64((seconds * 1000).rounded()))
    }

    package var shown: String { JSON.number(inSeconds).text }
}

// MARK: - Ranges

extension ClosedRange<Int> {
    /// Counts, up to the largest integer that every JSON reader represents exactly: 2⁵³ − 1.
    package static var counts: Self { 0...9_007_199_254_740_991 }
    /// The positions of groups, timers and pages, counted from 1.
    package static var places: Self { 1...999_999 }
    /// The seconds that a display shows. A follower whose clock is slightly off may show more than a timer's maximum.
    package static var shownSeconds: Self { 0...2 * 86_400 }
    /// The seconds of a timer.
    package static var timerSeconds: Self { 0...Thresholds.longest }
    /// The total seconds of a group's timers, one of which may have more left than it started with.
    package static var groupSeconds: Self { 0...(TimerGroup.capacity + 1) * 86_400 }
    /// The seconds in a command: the largest range that a string can express. Values that are invalid for a timer are
    /// refused when the command is carried out.
    package static var commandSeconds: Self { -largestSeconds...largestSeconds }
    private static var largestSeconds: Int { 999_999 * 3600 }
}

extension ClosedRange<Duration> {
    /// The range of an instant, counted from a clock's zero. It includes times before zero, for events before the last
    /// boot.
    package static var instants: Self { .zero - Duration.longest...Duration.longest }
    /// The times that a clock shows.
    package static var clocks: Self { .zero...Duration.longest }
    /// Lengths of time, at most from the first instant to the last one. A follower can therefore publish any length
    /// that it computes from its leader's instants.
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
}

extension Double: FieldValue {
    package func write(to writer: inout JSONWriter, _ bounds: ClosedRange<Double>) { writer.value(self) }

    package static func schema(_ bounds: ClosedRange<Double>) -> JSON {
        ["type": "number", "minimum": .number(bounds.lowerBound), "maximum": .number(bounds.upperBound)]
    }
}

/// The times that a field may contain, and the unit of its number.
package struct TimeBounds {
    package enum Unit {
        /// A number of seconds, to the millisecond.
        case seconds
        /// A whole number of milliseconds, rounded down.
        case milliseconds
        /// A whole number of microseconds, rounded down.
        case microseconds
        /// Attoseconds, as the standard library encodes them: the two halves of 128 bits.
        case attoseconds

        /// The unit of a whole number; nil if the value is not one whole number.
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

    /// Instants, which may be before the clock's zero, in microseconds.
    package static var instants: Self { Self(.instants, in: .microseconds) }
    /// The times that a clock shows, in microseconds.
    package static var clocks: Self { Self(.clocks, in: .microseconds) }
    /// Instants and lengths of time, at full precision.
    package static var exact: Self { Self(.instants, in: .attoseconds) }
    /// Lengths of time, in seconds.
    package static var lengths: Self { Self(.lengths) }

    /// Returns the range as multiples of a unit.
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

    /// Reads a 128-bit number from its two halves. JSON preserves only 53 bits of the lower half. The error is less than a
    /// nanosecond, and clocks count nanoseconds, so the sum is rounded to them.
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
