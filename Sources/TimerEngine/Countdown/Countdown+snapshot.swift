extension TimerEngine.Countdown {
    /// The components of a countdown, for saving and restoring it. The instants stay valid as long as the clock's zero
    /// does not move.
    package struct Snapshot: Hashable, Sendable {
        package enum State: String, CaseIterable { case stopped, running, paused, alarm }

        package var thresholds = TimerEngine.Thresholds.zero
        /// Measures the run, including the alarm but excluding pauses.
        package var used = Stopwatch()
        /// Measures the alarm time.
        package var over = Stopwatch()
        package var state = State.stopped
        /// When it reaches zero; nil unless running.
        package var zero: TimerEngine.Instant?
        /// The last second reported; nil unless running.
        package var ticked: Int?
        /// The time left; nil unless paused.
        package var remaining: Duration?
        /// When the alarm began; nil outside the alarm.
        package var since: TimerEngine.Instant?
        /// The time from which the next start counts down; nil for the starting time.
        package var reserve: Duration?

        package init() {}
    }

    package var snapshot: Snapshot {
        var snapshot = Snapshot()
        (snapshot.thresholds, snapshot.used, snapshot.over) = (thresholds, usedTime, overTime)
        snapshot.reserve = reserve
        switch state {
        case .stopped: break
        case .running(let zero, let ticked):
            (snapshot.state, snapshot.zero, snapshot.ticked) = (.running, zero, ticked)
        case .paused(let remaining): (snapshot.state, snapshot.remaining) = (.paused, remaining)
        case .alarm(let since): (snapshot.state, snapshot.since) = (.alarm, since)
        }
        return snapshot
    }

    /// Restores a countdown from a snapshot. ``advance(to:)`` then reports everything that has fallen due since.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notACountdown(_:)`` for values that no countdown can have.
    package init(_ snapshot: Snapshot) throws(CountdownError) {
        self.init(snapshot.thresholds)
        (usedTime, overTime, reserve) = (snapshot.used, snapshot.over, snapshot.reserve)
        switch (snapshot.state, snapshot.zero, snapshot.ticked, snapshot.remaining, snapshot.since) {
        case (.stopped, _, _, _, _): break
        case (.running, let zero?, let ticked?, _, _): state = .running(zero: zero, ticked: ticked)
        case (.paused, _, _, let remaining?, _): state = .paused(remaining: remaining)
        case (.alarm, _, _, _, let since?): state = .alarm(since: since)
        case (let state, _, _, _, _): throw .notACountdown("\(state) without its time")
        }
        try checkTimes()
        try checkStopwatches()
    }

    /// The last second reported; nil unless running.
    package var ticked: Int? { if case .running(_, let ticked) = state { ticked } else { nil } }

    /// A copy without the last second reported. It stays equal while only seconds pass.
    var withoutTick: Self {
        guard case .running(let zero, _) = state else { return self }
        var withoutTick = self
        withoutTick.state = .running(zero: zero, ticked: 0)
        return withoutTick
    }
}

// MARK: - Validation

extension TimerEngine.Countdown {
    private func checkTimes() throws(CountdownError) {
        let longest = TimerEngine.Thresholds.longest
        switch state {
        case .running(_, let ticked) where !(1...longest).contains(ticked):
            throw .notACountdown("running, but the last second shown, \(ticked), is outside 1…\(longest)")
        case .paused(let remaining) where remaining <= .zero || remaining > .seconds(longest):
            throw .notACountdown("paused with \(remaining) left, outside 0…\(longest) s")
        default: break
        }
        if let reserve, reserve < .zero || reserve > .seconds(longest) {
            throw .notACountdown("\(reserve) left for the next start, outside 0…\(longest) s")
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
        guard goes else { throw .notACountdown("its stopwatches do not match its state") }

        let latest = alarmedSince ?? nextInstant ?? Instant(sinceEpoch: .zero)
        guard overTime.before <= usedTime.elapsed(at: latest) else {
            throw .notACountdown("more alarm time than run time")
        }
    }
}
