extension TimerEngine {
    /// A point on a monotonic clock, the only kind of time that the arithmetic knows.
    ///
    /// Where zero lies is the clock's affair; the node's clock counts from the machine's boot, so that an instant keeps
    /// its meaning when the process is replaced.
    public struct Instant: InstantProtocol, Hashable, Sendable, Codable {
        /// The time since the clock's zero.
        public var sinceEpoch: Duration

        /// Creates the instant that lies `sinceEpoch` after the clock's zero.
        public init(sinceEpoch: Duration) {
            self.sinceEpoch = sinceEpoch
        }

        /// The instant `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(sinceEpoch: sinceEpoch + duration)
        }

        /// The time from this instant to `other`; negative where `other` is earlier.
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
            instant.advanced(by: .zero - duration)
        }
    }
}

extension Duration {
    /// The duration in seconds, to the precision of a `Double`.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The whole seconds that a timer shows for this much time left: a ceiling, and never below 0.
    public var shownSeconds: Int {
        let (seconds, attoseconds) = components
        return max(0, Int(seconds) + (attoseconds > 0 ? 1 : 0))
    }
}
