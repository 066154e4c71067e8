extension TimerEngine.Countdown {
    /// All fields of a countdown, with the same names as in its `Codable` form, for callers that serialize it
    /// themselves.
    package struct Record: Hashable, Sendable {
        /// The time measured before the current start, and that start; nil while halted.
        package typealias Watch = (before: Duration, since: TimerEngine.Instant?)

        private let countdown: TimerEngine.Countdown

        fileprivate init(_ countdown: TimerEngine.Countdown) { self.countdown = countdown }

        package var thresholds: TimerEngine.Thresholds { countdown.thresholds }
        package var used: Watch { (countdown.usedTime.before, countdown.usedTime.since) }
        package var over: Watch { (countdown.overTime.before, countdown.overTime.since) }

        package var state: String {
            switch countdown.state {
            case .stopped: "stopped"
            case .running: "running"
            case .paused: "paused"
            case .alarm: "alarm"
            }
        }

        package var zero: TimerEngine.Instant? { countdown.zero }
        package var since: TimerEngine.Instant? { countdown.alarmedSince }

        /// The last second reported; nil unless running.
        package var ticked: Int? {
            if case .running(_, let ticked) = countdown.state { ticked } else { nil }
        }

        /// The time left; nil unless paused.
        package var remaining: Duration? {
            if case .paused(let remaining) = countdown.state { remaining } else { nil }
        }
    }

    package var record: Record { Record(self) }
}
