extension TimerEngine.Countdown {
    /// All that a countdown is made of, for whoever writes it without `Codable`: the same fields by the same names.
    package struct Record: Hashable, Sendable {
        /// How long it ran before, and since when it runs; nil while it stands.
        package typealias Watch = (before: Duration, since: TimerEngine.Instant?)

        private let countdown: TimerEngine.Countdown

        fileprivate init(_ countdown: TimerEngine.Countdown) { self.countdown = countdown }

        package var thresholds: TimerEngine.Thresholds { countdown.thresholds }
        package var used: Watch { (countdown.usedTime.before, countdown.usedTime.since) }
        package var over: Watch { (countdown.overTime.before, countdown.overTime.since) }

        /// The name of its state.
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

        /// The last second that was reported, while it runs.
        package var ticked: Int? {
            if case .running(_, let ticked) = countdown.state { ticked } else { nil }
        }

        /// What is left, while it is paused.
        package var remaining: Duration? {
            if case .paused(let remaining) = countdown.state { remaining } else { nil }
        }
    }

    /// All that it is made of.
    package var record: Record { Record(self) }
}
