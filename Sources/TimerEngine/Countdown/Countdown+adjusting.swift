// What gives a run another position, or other times.
extension TimerEngine.Countdown {
    /// Runs so that `seconds` (clamped to 0…start) were left exactly at `instant`; a future instant counts as now.
    ///
    /// That second counts as ticked: there is a tick at once only where another one is present by now. Where zero was
    /// due meanwhile, the run is over since that instant, even if this is before something that was reported already.
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

    /// Sets what is left, clamped to 0…start; a stopped or alarmed countdown holds there, paused.
    public mutating func setRemaining(_ remaining: Duration, at now: Instant) -> [Event] {
        let events = advance(to: now)
        let left = min(max(.zero, remaining), .seconds(thresholds.start))
        return events + move(to: left, running: mode.isRunning, ticked: shownSeconds(at: now), at: now)
    }

    /// Gives (or, negative, takes) seconds for this run.
    ///
    /// What is left may go above the starting time; out of the alarm the run goes on with what is given.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` while stopped,
    ///   ``TimerEngine/CountdownError/tooLong(seconds:)`` where more than 23:59:59 would be left.
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

    /// Gives other times to this and each later run.
    ///
    /// What is left of this run stays, but for what passes a lower starting time; time that was added stays too.
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

    /// The same countdown on a clock whose zero lies `duration` earlier: each instant is that much later.
    ///
    /// For a countdown that was saved before the machine started again. No instant leaves the ten thousand years of
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

    /// Jumps to another time left; at nothing or below that is the end.
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
