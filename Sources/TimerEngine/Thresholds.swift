extension TimerEngine {
    /// The three times of a timer in whole seconds, always valid together.
    public struct Thresholds: Hashable, Sendable {
        /// The longest starting time: 23:59:59.
        public static let longest = 86_399

        /// Where a run starts: 0…86 399.
        public let start: Int
        /// Where the warning begins: below `start`; 0 means none.
        public let warning: Int
        /// Where the final mode begins: below `warning`, or below `start` where there is no warning; 0 and 1 mean none.
        public let final: Int

        /// Checks the three times.
        ///
        /// - Throws: ``ThresholdsError`` naming all three where they do not fit.
        public init(start: Int, warning: Int = 0, final: Int = 0) throws(ThresholdsError) {
            let fault: ThresholdsError.Fault? =
                if !(0...Self.longest).contains(start) {
                    .start
                } else if warning < 0 || (warning > 0 && warning >= start) {
                    .warning
                } else if final < 0 || (final > 0 && final >= (warning > 0 ? warning : start)) { .final } else { nil }
            if let fault { throw ThresholdsError(fault: fault, start: start, warning: warning, final: final) }
            self.init(checkedStart: start, warning: warning, final: final)
        }

        private init(checkedStart start: Int, warning: Int, final: Int) {
            self.start = start
            self.warning = warning
            self.final = final
        }

        /// A timer of nothing: 0/0/0.
        public static let zero = Thresholds(checkedStart: 0, warning: 0, final: 0)
    }

    /// Why three times are no thresholds.
    public struct ThresholdsError: Error, Hashable, CustomStringConvertible {
        /// The time that does not fit.
        public enum Fault: String, Hashable, Sendable {
            /// The starting time is outside 0…86 399.
            case start
            /// The warning time is negative or not below the starting time.
            case warning
            /// The final time is negative or not below the warning time (the starting time where there is no warning).
            case final
        }

        /// The time that does not fit.
        public let fault: Fault
        /// The starting time that was asked for, in seconds.
        public let start: Int
        /// The warning time that was asked for, in seconds.
        public let warning: Int
        /// The final time that was asked for, in seconds.
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

// MARK: - Ranges

extension TimerEngine.Thresholds {
    /// The seconds shown in countdown: what warning and final leave of ``fullRange``.
    public var startRange: ClosedRange<Int> {
        let below = max(warnRange.upperBound, finalRange.upperBound)
        return (below > 0 ? below + 1 : 0)...start
    }

    /// The seconds shown in warning; `0...0` where there is none.
    public var warnRange: ClosedRange<Int> {
        warning > 0 ? (finalRange.upperBound + 1)...warning : 0...0
    }

    /// The seconds shown in final; `0...0` where there is none, a final time of 1 included.
    public var finalRange: ClosedRange<Int> {
        final > 1 ? 1...final : 0...0
    }

    /// All the seconds that are shown: 0…start.
    public var fullRange: ClosedRange<Int> { 0...start }

    /// What a run does while it shows `second`.
    func mode(showing second: Int) -> TimerEngine.Mode {
        if second <= 0 {
            .alarm
        } else if finalRange.contains(second) {
            .final
        } else if warnRange.contains(second) {
            .warning
        } else {
            .countdown
        }
    }

    /// The seconds at which a run changes its mode before the alarm, the first to be reached first.
    var boundaries: [Int] {
        [warnRange.upperBound, finalRange.upperBound].filter { $0 > 0 }
    }
}

// MARK: - An editor's clamps

extension TimerEngine.Thresholds {
    /// With another starting time, clamped to 0…86 399; warning and final give way.
    public func setting(start: Int) -> Self {
        clamped(start: start, warning: warning, final: final)
    }

    /// With another warning time, clamped to below the start; final gives way.
    public func setting(warning: Int) -> Self {
        clamped(start: start, warning: warning, final: final)
    }

    /// With another final time, clamped to below the warning, or below the start where there is none.
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
