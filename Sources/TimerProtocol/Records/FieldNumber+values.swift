internal import TimerEngine

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
