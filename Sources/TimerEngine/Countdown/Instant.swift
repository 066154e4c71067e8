extension TimerEngine {
    /// A point on a monotonic clock. All timer arithmetic uses instants only.
    ///
    /// The clock defines its zero. The node's clock counts from boot, so an instant stays valid when the process
    /// restarts.
    ///
    /// An instant lies within ten thousand years of zero. Results beyond that are clamped, so arithmetic with instants
    /// cannot overflow.
    public struct Instant: InstantProtocol, Hashable, Sendable {
        /// The time since the clock's zero.
        public let sinceEpoch: Duration

        /// Creates the instant that lies `sinceEpoch` after the clock's zero.
        public init(sinceEpoch: Duration) {
            self.sinceEpoch = sinceEpoch.clamped(to: .longest)
        }

        /// Returns the instant `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(sinceEpoch: sinceEpoch + duration.clamped(to: .longest + .longest))
        }

        /// Returns the time from this instant to `other`; negative if `other` is earlier.
        public func duration(to other: Instant) -> Duration {
            other.sinceEpoch - sinceEpoch
        }

        /// Returns whether the left instant is earlier.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.sinceEpoch < right.sinceEpoch
        }

        /// Returns the instant `duration` later.
        public static func + (instant: Instant, duration: Duration) -> Instant {
            instant.advanced(by: duration)
        }

        /// Returns the instant `duration` earlier.
        public static func - (instant: Instant, duration: Duration) -> Instant {
            instant.advanced(by: .zero - duration.clamped(to: .longest + .longest))
        }
    }
}

// The class has the same name as its module, so a qualified name is looked up in the class. These aliases let the
// package use its most common types without a prefix. They are not public, since a library must not claim such names in
// the code of its users.
package typealias Instant = TimerEngine.Instant
package typealias Mode = TimerEngine.Mode
package typealias Thresholds = TimerEngine.Thresholds
package typealias Countdown = TimerEngine.Countdown
package typealias CountdownError = TimerEngine.CountdownError

extension Duration {
    /// The duration in seconds, as the nearest `Double`.
    public var inSeconds: Double {
        guard self == clamped(to: .seconds(Int64.max)) else { return self / .seconds(1) }
        let (seconds, attoseconds) = components
        // Keeps the rounding errors of the division and of the sum, so only the final sum is rounded.
        let scale = 1e18
        let high = Double(attoseconds)
        let low = Double(attoseconds - Int64(high))
        let fraction = high / scale
        let rest = (high.addingProduct(-fraction, scale) + low) / scale
        let sum = Double(seconds) + fraction
        return sum + (fraction - (sum - Double(seconds)) + rest)
    }

    /// The whole seconds that a timer shows for this remaining time: rounded up, and never below 0.
    public var shownSeconds: Int {
        guard self < .seconds(Int64.max) else { return .max }
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        return Int(seconds) + (attoseconds > 0 ? 1 : 0)
    }

    /// The whole seconds, without the fraction, clamped to the range of `Int`.
    package var wholeSeconds: Int { Int(clamping: attoseconds / 1_000_000_000_000_000_000) }

    /// Creates a duration of `seconds`, rounded to the nearest nanosecond and clamped to a hundred years; zero for NaN.
    init(inSeconds seconds: Double) {
        let limit = 1e2 * 366 * 86_400
        self = seconds.isNaN ? .zero : .nanoseconds(Int64((min(max(-limit, seconds), limit) * 1e9).rounded()))
    }

    /// The duration rounded up to whole nanoseconds; ``shownSeconds`` stays the same.
    var inWholeNanoseconds: Duration {
        let (seconds, attoseconds) = components
        let (nanoseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return .seconds(seconds) + .nanoseconds(nanoseconds + (rest > 0 ? 1 : 0))
    }
}

// MARK: - Limits

extension Duration {
    /// Ten thousand years: no clock or run reaches it, and sums of a few such durations do not overflow.
    package static var longest: Duration { .seconds(10_000 * 366 * 86_400) }

    /// Returns the duration clamped to the limit in both directions.
    func clamped(to limit: Duration) -> Duration {
        min(max(.zero - limit, self), limit)
    }
}
