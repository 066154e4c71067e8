extension TimerEngine {
    /// A point on a monotonic clock. All arithmetic uses only this kind of time.
    ///
    /// The clock defines where zero lies. The node's clock counts from boot, so an instant stays valid when the process
    /// restarts.
    ///
    /// An instant lies within ten thousand years of zero. Results beyond are clamped, so that arithmetic with instants
    /// cannot overflow.
    public struct Instant: InstantProtocol, Hashable, Sendable {
        /// The time since the clock's zero.
        public let sinceEpoch: Duration

        /// Creates the instant that lies `sinceEpoch` after the clock's zero.
        public init(sinceEpoch: Duration) {
            self.sinceEpoch = sinceEpoch.clamped(to: .longest)
        }

        /// The instant `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(sinceEpoch: sinceEpoch + duration.clamped(to: .longest + .longest))
        }

        /// The time from this instant to `other`; negative if `other` is earlier.
        public func duration(to other: Instant) -> Duration {
            other.sinceEpoch - sinceEpoch
        }

        /// Whether the left instant comes first.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.sinceEpoch < right.sinceEpoch
        }

        /// The instant `duration` later.
        public static func + (instant: Instant, duration: Duration) -> Instant {
            instant.advanced(by: duration)
        }

        /// The instant `duration` earlier.
        public static func - (instant: Instant, duration: Duration) -> Instant {
            instant.advanced(by: .zero - duration.clamped(to: .longest + .longest))
        }
    }
}

// The class has the name of its module, so that a qualified name is looked for in the class. What this package says all the
// time it says without a prefix. A library would take such names from its users, so that these are the package's own.
package typealias Instant = TimerEngine.Instant
package typealias Mode = TimerEngine.Mode
package typealias Thresholds = TimerEngine.Thresholds
package typealias Countdown = TimerEngine.Countdown
package typealias CountdownError = TimerEngine.CountdownError
