// Calls that change the position or the times of a run.
extension TimerEngine.Countdown {
    /// Runs such that `seconds` (clamped to 0…start) were left exactly at `instant`; a future instant counts as now.
    ///
    /// That second counts as ticked: there is an immediate tick only if a different second is current now. If zero was
    /// due in the meantime, the run has been over since that instant, even if it lies before something already
    /// reported.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running or paused.
    public mutating func sync(to seconds: Int, at instant: Instant, now: Instant) throws(CountdownError) -> [Event] {
        var (next, events) = advanced(to: now)
        guard next.mode.isRunning || next.mode.isPaused else { throw .notAllowed(.sync, in: next.mode) }
        let seconds = min(max(0, seconds), thresholds.start)
        let zero = min(instant, now) + .seconds(seconds)
        events += next.move(to: now.duration(to: zero), running: true, ticked: seconds, at: min(now, zero))
        self = next
        return events
    }

    /// Sets the time left, clamped to 0…start; a stopped or alarmed countdown becomes paused there.
    public mutating func setRemaining(_ remaining: Duration, at now: Instant) -> [Event] {
        let events = advance(to: now)
        let left = min(max(.zero, remaining), .seconds(thresholds.start))
        return events + move(to: left, running: mode.isRunning, ticked: shownSeconds(at: now), at: now)
    }

    /// Adds seconds to this run; a negative number removes them.
    ///
    /// The time left may exceed the starting time. In alarm, the run continues with the added time.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` while stopped,
    ///   ``TimerEngine/CountdownError/tooLong(seconds:)`` if more than 23:59:59 would be left.
    public mutating func add(_ seconds: Int, at now: Instant) throws(CountdownError) -> [Event] {
        var (next, events) = advanced(to: now)
        guard next.mode != .stopped else { throw .notAllowed(.add, in: .stopped) }
        let shown = next.shownSeconds(at: now)
        let (sum, overflow) = shown.addingReportingOverflow(seconds)
        guard !overflow, sum <= TimerEngine.Thresholds.longest else { throw .tooLong(seconds: overflow ? .max : sum) }
        let left = next.remaining(at: now) + .seconds(seconds)
        events += next.move(to: left, running: !next.mode.isPaused, ticked: shown, at: now)
        self = next
        return events
    }

    /// Sets the times of this and every later run.
    ///
    /// The time left in this run stays, except that it is limited to a lower starting time; added time is kept.
    public mutating func setThresholds(_ thresholds: TimerEngine.Thresholds, at now: Instant) -> [Event] {
        let events = advance(to: now)
        let from = mode
        let left = remaining(at: now)
        let added = max(.zero, left - .seconds(self.thresholds.start))
        self.thresholds = thresholds
        if from == .stopped || from == .alarm { return events }
        return events
            + move(
                to: min(left, .seconds(thresholds.start) + added), running: from.isRunning, from: from,
                ticked: left.shownSeconds, at: now)
    }

    /// Moves all instants `duration` later, for a clock whose zero lies that much earlier.
    ///
    /// Used for a countdown that was saved before a reboot. No instant leaves the ten thousand years of
    /// ``TimerEngine/Instant``.
    public mutating func shift(by duration: Duration) {
        switch state {
        case .running(let zero, let ticked): state = .running(zero: zero + duration, ticked: ticked)
        case .alarm(let since): state = .alarm(since: since + duration)
        case .stopped, .paused: break
        }
        usedTime.shift(by: duration)
        overTime.shift(by: duration)
    }

    /// Sets another time left; at zero or below, the run ends.
    private mutating func move(
        to left: Duration, running: Bool, from: TimerEngine.Mode? = nil, ticked: Int, at now: Instant
    ) -> [Event] {
        let from = from ?? mode
        if left > .zero {
            enter(running ? .running(zero: now + left, ticked: left.shownSeconds) : .paused(remaining: left), at: now)
        } else if alarmedSince == nil {
            enter(.alarm(since: now), at: now)
        }
        var events: [Event] = []
        if left.shownSeconds != ticked { events.append(.tick(left.shownSeconds, at: now)) }
        if from != mode {
            events.append(.transition(from: mode == .alarm ? from.unpaused : from, to: mode, at: now))
        }
        return events
    }
}
