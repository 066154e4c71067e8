extension TimerEngine.Countdown {
    public typealias Instant = TimerEngine.Instant
    public typealias CountdownError = TimerEngine.CountdownError

    /// Reports what fell due up to `now`, in order.
    ///
    /// After a stall only the present second is ticked, but each transition on the way is reported with the instant it
    /// was due.
    public mutating func advance(to now: Instant) -> [Event] {
        guard case .running(let zero, let ticked) = state else { return [] }
        let second = now.duration(to: zero).shownSeconds
        guard second < ticked else { return [] }

        var events: [Event] = []
        var mode = thresholds.mode(showing: ticked)
        for stop in thresholds.boundaries.filter({ second < $0 && $0 < ticked }) + [second] {
            let due = zero - .seconds(stop)
            if stop == second { events.append(.tick(second, at: due)) }
            let next = thresholds.mode(showing: stop)
            if next != mode { events.append(.transition(from: mode, to: next, at: due)) }
            mode = next
        }
        enter(second == 0 ? .alarm(since: zero) : .running(zero: zero, ticked: second), at: min(now, zero))
        return events
    }

    /// Runs from the starting time, from any mode.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` where the starting time is 0.
    public mutating func start(at now: Instant) throws(CountdownError) -> [Event] {
        guard thresholds.start > 0 else { throw .nothingToRun }
        var events = advance(to: now)
        let from = mode
        stopwatch = Stopwatch()
        enter(.running(zero: now + .seconds(thresholds.start), ticked: thresholds.start), at: now)
        if from != mode { events.append(.transition(from: from, to: mode, at: now)) }
        return events + [.tick(thresholds.start, at: now)]
    }

    /// Goes back to the starting time without an alarm.
    public mutating func stop(at now: Instant) -> [Event] {
        leave(to: .stopped, at: now)
    }

    /// Goes straight to the alarm.
    public mutating func end(at now: Instant) -> [Event] {
        if case .alarm = state { return [] }
        return leave(to: .alarm(since: now), at: now)
    }

    /// Holds the exact fraction.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(in:)`` unless running. What fell due before `now` is then not
    ///   reported either; the next call reports it.
    public mutating func pause(at now: Instant) throws(CountdownError) -> [Event] {
        var advanced = self
        var events = advanced.advance(to: now)
        guard case .running(let zero, _) = advanced.state else { throw .notAllowed(in: advanced.mode) }
        self = advanced
        let from = mode
        enter(.paused(remaining: now.duration(to: zero)), at: now)
        events.append(.transition(from: from, to: mode, at: now))
        return events
    }

    /// Goes on from the fraction; the second that was shown is not ticked again.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(in:)`` unless paused.
    public mutating func resume(at now: Instant) throws(CountdownError) -> [Event] {
        guard case .paused(let remaining) = state else { throw .notAllowed(in: mode) }
        let from = mode
        enter(.running(zero: now + remaining, ticked: remaining.shownSeconds), at: now)
        return [.transition(from: from, to: mode, at: now)]
    }

    /// Runs so that `seconds` (clamped to 0…start) were left exactly at `instant`; a future instant counts as now.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(in:)`` unless running or paused.
    public mutating func sync(to seconds: Int, at instant: Instant, now: Instant) throws(CountdownError) -> [Event] {
        guard mode.isRunning || mode.isPaused else { throw .notAllowed(in: mode) }
        let events = advance(to: now)
        let seconds = min(max(0, seconds), thresholds.start)
        let left = Duration.seconds(seconds) - min(instant, now).duration(to: now)
        return events + move(to: left, running: true, ticked: seconds, at: now)
    }

    /// Sets what is left, clamped to 0…start; a stopped or alarmed countdown holds there, paused.
    public mutating func setRemaining(_ remaining: Duration, at now: Instant) -> [Event] {
        let events = advance(to: now)
        let left = min(max(.zero, remaining), .seconds(thresholds.start))
        return events + move(to: left, running: mode.isRunning, ticked: shownSeconds(at: now), at: now)
    }

    /// Gives (or, negative, takes) time for this run; it may go above the starting time. Out of the alarm it runs on.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(in:)`` while stopped,
    ///   ``TimerEngine/CountdownError/tooLong(seconds:)`` where more than 23:59:59 would be left.
    public mutating func add(_ seconds: Int, at now: Instant) throws(CountdownError) -> [Event] {
        if case .stopped = state { throw .notAllowed(in: .stopped) }
        var advanced = self
        let events = advanced.advance(to: now)
        let (sum, overflow) = advanced.shownSeconds(at: now).addingReportingOverflow(seconds)
        guard !overflow, sum <= TimerEngine.Thresholds.longest else { throw .tooLong(seconds: overflow ? .max : sum) }
        self = advanced
        return events
            + move(
                to: remaining(at: now) + .seconds(seconds), running: !mode.isPaused, ticked: shownSeconds(at: now),
                at: now)
    }

    /// Gives other times to this and each later run; what is left of this run stays.
    public mutating func setThresholds(_ thresholds: TimerEngine.Thresholds, at now: Instant) -> [Event] {
        var events = advance(to: now)
        let from = mode
        let shown = shownSeconds(at: now)
        self.thresholds = thresholds
        if shownSeconds(at: now) != shown { events.append(.tick(shownSeconds(at: now), at: now)) }
        if mode != from { events.append(.transition(from: from, to: mode, at: now)) }
        return events
    }
}

extension TimerEngine.Countdown {
    /// Leaves for the stop or the alarm; out of a pause the inner mode is what is left.
    private mutating func leave(to next: State, at now: Instant) -> [Event] {
        var events = advance(to: now)
        let from = mode.unpaused
        enter(next, at: now)
        if from != mode { events.append(.transition(from: from, to: mode, at: now)) }
        return events
    }

    /// Jumps to another time left; at nothing or below that is the end.
    private mutating func move(to left: Duration, running: Bool, ticked: Int, at now: Instant) -> [Event] {
        let from = mode
        if left > .zero {
            enter(
                running ? .running(zero: now + left, ticked: left.shownSeconds) : .paused(remaining: left), at: now)
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

    private mutating func enter(_ next: State, at now: Instant) {
        state = next
        switch next {
        case .running, .alarm: stopwatch.run(at: now)
        case .paused: stopwatch.halt(at: now)
        case .stopped: stopwatch = Stopwatch()
        }
    }
}
