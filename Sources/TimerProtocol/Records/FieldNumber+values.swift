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

        /// What the number counts, where it is whole.
        fileprivate var whole: Duration? {
            switch self {
            case .seconds: nil
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
        guard let time = Duration(value.json, in: bounds.range) else {
            throw value.refusal(expected: expected(bounds.range))
        }
        return time
    }

    package func write(to writer: inout JSONWriter, _ bounds: TimeBounds) {
        if let unit = bounds.unit.whole { writer.value(count(of: unit)) } else { writer.value(self) }
    }

    package static func schema(_ bounds: TimeBounds) -> JSON {
        if let unit = bounds.unit.whole { return Int.schema(bounds.counts(of: unit)) }
        return Double.schema(bounds.range.lowerBound.inSeconds...bounds.range.upperBound.inSeconds)
    }
}
