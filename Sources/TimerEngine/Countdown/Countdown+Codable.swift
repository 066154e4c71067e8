extension TimerEngine.Countdown: Codable {
    private enum CodingKeys: CodingKey { case thresholds, state, zero, ticked, remaining, since, used, over }
    private enum StateName: String, Codable { case stopped, running, paused, alarm }

    /// Writes the countdown with its instants, which stay valid as long as the clock's zero does not move.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(thresholds, forKey: .thresholds)
        try fields.encode(usedTime, forKey: .used)
        try fields.encode(overTime, forKey: .over)
        switch state {
        case .stopped:
            try fields.encode(StateName.stopped, forKey: .state)
        case .running(let zero, let ticked):
            try fields.encode(StateName.running, forKey: .state)
            try fields.encode(zero, forKey: .zero)
            try fields.encode(ticked, forKey: .ticked)
        case .paused(let remaining):
            try fields.encode(StateName.paused, forKey: .state)
            try fields.encode(remaining, forKey: .remaining)
        case .alarm(let since):
            try fields.encode(StateName.alarm, forKey: .state)
            try fields.encode(since, forKey: .since)
        }
    }

    /// Reads a countdown; ``advance(to:)`` then reports what fell due since it was written.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notACountdown(_:)`` or ``TimerEngine/ThresholdsError`` for values that no
    ///   countdown could have written; a `DecodingError` for a field that is missing or of another type, or a time of
    ///   more than ten thousand years.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try fields.decode(TimerEngine.Thresholds.self, forKey: .thresholds))
        usedTime = try fields.decode(Stopwatch.self, forKey: .used)
        overTime = try fields.decode(Stopwatch.self, forKey: .over)
        state =
            switch try fields.decode(StateName.self, forKey: .state) {
            case .stopped: .stopped
            case .running:
                .running(
                    zero: try fields.decode(Instant.self, forKey: .zero),
                    ticked: try fields.decode(Int.self, forKey: .ticked))
            case .paused: .paused(remaining: try fields.decodeTime(forKey: .remaining))
            case .alarm: .alarm(since: try fields.decode(Instant.self, forKey: .since))
            }
        try checkTimes()
        try checkStopwatches()
    }
}

// MARK: - What no countdown can be

extension TimerEngine.Countdown {
    private func checkTimes() throws(CountdownError) {
        let longest = TimerEngine.Thresholds.longest
        switch state {
        case .running(_, let ticked) where !(1...longest).contains(ticked):
            throw .notACountdown("running with \(ticked) s ticked, outside 1…\(longest)")
        case .paused(let remaining) where remaining <= .zero || remaining > .seconds(longest):
            throw .notACountdown("paused with \(remaining) left, outside 0…\(longest) s")
        default: break
        }
        for time in [usedTime.before, overTime.before] where time < .zero {
            throw .notACountdown("a run that lasted \(time)")
        }
    }

    /// Checks that the stopwatches match the state, and that the alarm lies within the run.
    private func checkStopwatches() throws(CountdownError) {
        let goes: Bool =
            switch state {
            case .stopped: usedTime == Stopwatch() && overTime == Stopwatch()
            // The run must have begun before the next tick.
            case .running:
                usedTime.since.flatMap { since in nextInstant.map { since < $0 } } == true && !overTime.isRunning
            case .paused: !usedTime.isRunning && !overTime.isRunning
            case .alarm(let since): usedTime.since.map { $0 <= since } == true && overTime.since == since
            }
        guard goes else { throw .notACountdown("its stopwatches do not go with its state") }

        let latest = alarmedSince ?? nextInstant ?? Instant(sinceEpoch: .zero)
        guard overTime.before <= usedTime.elapsed(at: latest) else {
            throw .notACountdown("more time in alarm than in the run")
        }
    }
}

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
