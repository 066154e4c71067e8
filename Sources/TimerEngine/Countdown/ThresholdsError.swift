extension TimerEngine {
    /// Why three times are not valid thresholds.
    public struct ThresholdsError: Error, Hashable, CustomStringConvertible {
        /// The invalid time.
        public enum Fault: String, Hashable, Sendable {
            /// The starting time is outside 0…86 399.
            case start
            /// The warning time is negative or not below the starting time.
            case warning
            /// The final time is negative or not below the warning time (the starting time where there is no warning).
            case final
        }

        /// The invalid time.
        public let fault: Fault
        /// The requested starting time, in seconds.
        public let start: Int
        /// The requested warning time, in seconds.
        public let warning: Int
        /// The requested final time, in seconds.
        public let final: Int

        /// What was found and what was expected.
        public var description: String {
            switch fault {
            case .start:
                "start \(start) is outside 0…\(Thresholds.longest)"
            case .warning:
                "warning \(warning) is not within 0…\(max(0, start - 1)), below start \(start)"
            case .final where warning > 0:
                "final \(final) is not within 0…\(warning - 1), below warning \(warning)"
            case .final:
                "final \(final) is not within 0…\(max(0, start - 1)), below start \(start)"
            }
        }
    }
}
