extension TimerPlayer {
    /// Advances to `now` and reports what fell due, in order, across all timers of the sequence that were passed.
    ///
    /// After a stall, only the second shown at the end is ticked, but every change of mode and of timer on the way is
    /// reported with the instant at which it was due.
    public mutating func advance(to now: TimerEngine.Instant) -> [Event] {
        runCountdown(at: now) { $0.advance(to: now) }
    }

    /// Calls the countdown. If it reaches zero and another timer follows, that one starts in the same instant without
    /// an alarm in between. Missed ticks are not replayed.
    mutating func runCountdown<Failure: Error>(
        at now: TimerEngine.Instant,
        _ call: (inout TimerEngine.Countdown) throws(Failure) -> [TimerEngine.Countdown.Event]
    ) throws(Failure) -> [Event] {
        let (before, first) = (mode, model.selected)
        var events = try call(&countdown).map(Event.init)
        while case .modeChanged(let from, to: .alarm, let zero)? = events.last, let next = upNext {
            let old = model.selected
            let mode = before.isPaused && old == first ? before : from
            events.removeLast()
            if !events.contains(.tick(0, at: zero)) { events.append(.tick(0, at: zero)) }
            events.append(endRun(at: zero))
            events.append(.movedOn(from: old, to: next, at: zero))
            model.selected = next
            events += begin(model.selectedTimer.thresholds, from: mode, at: zero)
            events += countdown.advance(to: now).map(Event.init)
        }
        if let last = events.last(where: \.isTick) {
            events.removeAll { $0.isTick && $0.instant < last.instant }
        }
        return events
    }

    /// Starts a countdown with these times, of which the start is above 0, and reports it as a change from another
    /// mode.
    mutating func begin(
        _ thresholds: TimerEngine.Thresholds, from mode: TimerEngine.Mode, at now: TimerEngine.Instant
    ) -> [Event] {
        countdown = TimerEngine.Countdown(thresholds)
        guard let started = try? countdown.start(at: now) else { return [] }
        return started.compactMap { event in
            guard case .transition(_, let to, _) = event else { return Event(event) }
            return to == mode ? nil : .modeChanged(from: mode, to: to, at: now)
        }
    }

    /// Ends the current run.
    mutating func endRun(at now: TimerEngine.Instant) -> Event {
        let run = Run(
            path: model.selected, name: name, used: countdown.used(at: now), over: countdown.over(at: now))
        lastRun = run
        oneOff = nil
        return .runEnded(run, at: now)
    }
}

extension TimerPlayer.Event {
    fileprivate var isTick: Bool {
        if case .tick = self { true } else { false }
    }
}
