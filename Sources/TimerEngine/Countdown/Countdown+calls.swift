extension TimerEngine.Countdown {
    /// A point on the clock that drives the countdown.
    public typealias Instant = TimerEngine.Instant
    /// Why a call is refused.
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

    /// Runs from the starting time, from any mode: the transition, if there is one, then the tick.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` where the starting time is 0.
    public mutating func start(at now: Instant) throws(CountdownError) -> [Event] {
        guard thresholds.start > 0 else { throw .nothingToRun }
        var events = advance(to: now)
        let from = mode
        enter(.stopped, at: now)
        enter(.running(zero: now + .seconds(thresholds.start), ticked: thresholds.start), at: now)
        if from != mode { events.append(.transition(from: from, to: mode, at: now)) }
        return events + [.tick(thresholds.start, at: now)]
    }

    /// Goes back to the starting time without an alarm, from any mode.
    public mutating func stop(at now: Instant) -> [Event] {
        advance(to: now) + leave(to: .stopped, at: now)
    }

    /// Goes straight to the alarm, from any mode.
    public mutating func end(at now: Instant) -> [Event] {
        advance(to: now) + (alarmedSince == nil ? leave(to: .alarm(since: now), at: now) : [])
    }

    /// Holds the exact fraction.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running.
    public mutating func pause(at now: Instant) throws(CountdownError) -> [Event] {
        var (next, events) = advanced(to: now)
        guard let zero = next.zero else { throw .notAllowed(.pause, in: next.mode) }
        let from = next.mode
        next.enter(.paused(remaining: now.duration(to: zero)), at: now)
        events.append(.transition(from: from, to: next.mode, at: now))
        self = next
        return events
    }

    /// Goes on from the fraction; the second that was shown is not ticked again.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless paused.
    public mutating func resume(at now: Instant) throws(CountdownError) -> [Event] {
        guard case .paused(let remaining) = state else { throw .notAllowed(.resume, in: advanced(to: now).0.mode) }
        let from = mode
        enter(.running(zero: now + remaining, ticked: remaining.shownSeconds), at: now)
        return [.transition(from: from, to: mode, at: now)]
    }

    /// Runs so that `seconds` (clamped to 0…start) were left exactly at `instant`; a future instant counts as now.
    ///
    /// That second counts as ticked: there is a tick at once only where another one is present by now.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running or paused.
    public mutating func sync(to seconds: Int, at instant: Instant, now: Instant) throws(CountdownError) -> [Event] {
        var (next, events) = advanced(to: now)
        guard next.mode.isRunning || next.mode.isPaused else { throw .notAllowed(.sync, in: next.mode) }
        let seconds = min(max(0, seconds), thresholds.start)
        let left = Duration.seconds(seconds) - min(instant, now).duration(to: now)
        events += next.move(to: left, running: true, ticked: seconds, at: now)
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
    /// For a countdown that was saved before the machine started again.
    public mutating func shift(by duration: Duration) {
        switch state {
        case .running(let zero, let ticked): state = .running(zero: zero + duration, ticked: ticked)
        case .alarm(let since): state = .alarm(since: since + duration)
        case .stopped, .paused: break
        }
        usedTime.shift(by: duration)
        overTime.shift(by: duration)
    }
}

extension TimerEngine.Countdown {
    /// What a call works on that may yet be refused.
    private func advanced(to now: Instant) -> (Self, [Event]) {
        var next = self
        let events = next.advance(to: now)
        return (next, events)
    }

    /// Leaves for the stop or the alarm; out of a pause the inner mode is what is left.
    private mutating func leave(to next: State, at now: Instant) -> [Event] {
        let from = mode.unpaused
        enter(next, at: now)
        return from == mode ? [] : [.transition(from: from, to: mode, at: now)]
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

    mutating func enter(_ next: State, at now: Instant) {
        state = next
        switch next {
        case .stopped: (usedTime, overTime) = (Stopwatch(), Stopwatch())
        case .paused: usedTime.halt(at: now)
        case .running, .alarm: usedTime.run(at: now)
        }
        if case .alarm = next { overTime.run(at: now) } else { overTime.halt(at: now) }
    }
}
