extension TimerEngine {
    /// The three times of a timer in whole seconds; the combination is always valid.
    public struct Thresholds: Hashable, Sendable {
        /// The longest starting time: 23:59:59.
        public static let longest = 86_399

        /// The starting time: 0…86 399.
        public let start: Int
        /// The warning time: below `start`; 0 means none.
        public let warning: Int
        /// The final time: below `warning`, or below `start` if there is no warning; 0 and 1 mean none.
        public let final: Int

        /// Creates thresholds from three times, which it checks.
        ///
        /// - Throws: ``ThresholdsError``, with all three times, if they are not a valid combination.
        public init(start: Int, warning: Int = 0, final: Int = 0) throws(ThresholdsError) {
            func fault(_ fault: ThresholdsError.Fault) -> ThresholdsError {
                ThresholdsError(fault: fault, start: start, warning: warning, final: final)
            }
            guard (0...Self.longest).contains(start) else { throw fault(.start) }
            guard (0..<max(1, start)).contains(warning) else { throw fault(.warning) }
            guard (0..<max(1, warning > 0 ? warning : start)).contains(final) else { throw fault(.final) }
            self.init(checkedStart: start, warning: warning, final: final)
        }

        private init(checkedStart start: Int, warning: Int, final: Int) {
            self.start = start
            self.warning = warning
            self.final = final
        }

        /// All times zero: 0/0/0.
        public static let zero = Thresholds(checkedStart: 0, warning: 0, final: 0)
    }
}

// MARK: - Clamping, for editors

extension TimerEngine.Thresholds {
    /// Returns a copy with another starting time, clamped to 0…86 399. The warning and final times are lowered if
    /// necessary.
    public func setting(start: Int) -> Self {
        clamped(start: start, warning: warning, final: final)
    }

    /// Returns a copy with another warning time, clamped to below the starting time. The final time is lowered if
    /// necessary.
    public func setting(warning: Int) -> Self {
        clamped(start: start, warning: warning, final: final)
    }

    /// Returns a copy with another final time, clamped to below the warning time, or below the starting time if there
    /// is no warning.
    public func setting(final: Int) -> Self {
        clamped(start: start, warning: warning, final: final)
    }

    private func clamped(start: Int, warning: Int, final: Int) -> Self {
        let start = min(max(0, start), Self.longest)
        let warning = min(max(0, warning), max(0, start - 1))
        let final = min(max(0, final), max(0, (warning > 0 ? warning : start) - 1))
        return Self(checkedStart: start, warning: warning, final: final)
    }
}

extension TimerEngine.Thresholds {
    /// The seconds shown in countdown mode: ``fullRange`` without the warning and final ranges.
    public var startRange: ClosedRange<Int> {
        let below = max(warnRange.upperBound, finalRange.upperBound)
        return (below > 0 ? below + 1 : 0)...start
    }

    /// The seconds shown in warning mode; `0...0` if there is none.
    public var warnRange: ClosedRange<Int> {
        warning > 0 ? (finalRange.upperBound + 1)...warning : 0...0
    }

    /// The seconds shown in final mode; `0...0` if there is none, which includes a final time of 1.
    public var finalRange: ClosedRange<Int> {
        final > 1 ? 1...final : 0...0
    }

    /// All seconds that can be shown: 0…start.
    public var fullRange: ClosedRange<Int> { 0...start }

    /// Returns the mode of a run that shows `second`.
    func mode(showing second: Int) -> TimerEngine.Mode {
        switch second {
        case ...0: .alarm
        case finalRange: .final
        case warnRange: .warning
        default: .countdown
        }
    }

    /// The seconds at which a run changes its mode before the alarm, in the order in which the run reaches them.
    var boundaries: [Int] {
        [warnRange.upperBound, finalRange.upperBound].filter { $0 > 0 }
    }
}

extension TimerEngine {
    /// Why three times are not valid thresholds.
    public struct ThresholdsError: Error, Hashable, CustomStringConvertible {
        /// The invalid time.
        public enum Fault: String, Hashable, Sendable {
            /// The starting time is outside 0…86 399.
            case start
            /// The warning time is negative or not below the starting time.
            case warning
            /// The final time is negative or not below the warning time (or the starting time, if there is no warning).
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

        /// A message that states what was found and what was expected.
        public var description: String {
            switch fault {
            case .start:
                "start \(start) is outside 0…\(Thresholds.longest)"
            case .warning:
                "warning \(warning) is outside 0…\(max(0, start - 1)) (below start \(start))"
            case .final where warning > 0:
                "final \(final) is outside 0…\(warning - 1) (below warning \(warning))"
            case .final:
                "final \(final) is outside 0…\(max(0, start - 1)) (below start \(start))"
            }
        }
    }
}
