// The calls of a countdown, for the selected timer.
extension TimerPlayer {
    /// A point on the clock that drives the player.
    public typealias Instant = TimerEngine.Instant

    /// Starts the selected timer from its starting time, in any mode.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` if the starting time is 0.
    public mutating func start(at now: Instant) throws(PlayerError) -> [Event] {
        try perform(at: now) { (player) throws(PlayerError) in
            try player.run(player.model.selected, at: now)
        }
    }

    /// Selects a timer and starts it from its starting time.
    ///
    /// - Throws: ``ModelError/noTimer(at:)``, or ``TimerEngine/CountdownError/nothingToRun``.
    public mutating func start(_ path: TimerPath, at now: Instant) throws(PlayerError) -> [Event] {
        try perform(at: now) { (player) throws(PlayerError) in
            player.prepared = nil
            return try player.run(path, at: now)
        }
    }

    /// Selects a timer, which stays stopped, and puts up other times for it: each start uses them until another timer
    /// is selected.
    ///
    /// - Throws: ``ModelError/noTimer(at:)``.
    package mutating func prepare(
        _ oneOff: OneOff?, for path: TimerPath, at now: Instant
    ) throws(PlayerError) -> [Event] {
        guard model[path] != nil else { throw .model(.noTimer(at: path)) }
        return perform(at: now) { player in
            let ended = player.show(path, at: now)
            player.prepared = oneOff
            player.countdown = player.freshCountdown
            return ended
        }
    }

    /// Runs once with other times; the selected timer keeps its own. At zero the alarm is raised; the sequence does not
    /// continue.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` if the starting time is 0.
    public mutating func start(_ oneOff: OneOff, at now: Instant) throws(PlayerError) -> [Event] {
        guard oneOff.thresholds.start > 0 else { throw .countdown(.nothingToRun) }
        return perform(at: now) { player in
            let from = player.mode
            let ended = from == .stopped ? [] : [player.endRun(at: now)]
            player.oneOff = oneOff
            return ended + player.begin(oneOff.thresholds, from: from, at: now)
        }
    }

    /// Stops and returns to the selected timer's starting time without an alarm, in any mode.
    public mutating func stop(at now: Instant) -> [Event] {
        perform(at: now) { $0.show($0.model.selected, at: now) }
    }

    /// Goes straight to the alarm, in any mode; the sequence does not continue.
    public mutating func end(at now: Instant) -> [Event] {
        perform(at: now) { $0.countdown.end(at: now).map(Event.init) }
    }

    /// Pauses, keeping the exact fraction of the second.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running.
    public mutating func pause(at now: Instant) throws(PlayerError) -> [Event] {
        try callCountdown(at: now) { (countdown) throws(TimerEngine.CountdownError) in try countdown.pause(at: now) }
    }

    /// Resumes with the exact fraction of the second that was left.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless paused.
    public mutating func resume(at now: Instant) throws(PlayerError) -> [Event] {
        try callCountdown(at: now) { (countdown) throws(TimerEngine.CountdownError) in try countdown.resume(at: now) }
    }

    /// Runs the timer as if exactly `seconds` (clamped to 0…start) had been left at `instant`. A future instant counts
    /// as now.
    ///
    /// If zero has passed since `instant`, the sequence continues from the instant of zero.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running or paused.
    public mutating func sync(to seconds: Int, at instant: Instant, now: Instant) throws(PlayerError) -> [Event] {
        try callCountdown(at: now) { (countdown) throws(TimerEngine.CountdownError) in
            try countdown.sync(to: seconds, at: instant, now: now)
        }
    }

    /// Sets the time left, clamped to 0…start; at 0 the sequence continues.
    public mutating func setRemaining(_ remaining: Duration, at now: Instant) -> [Event] {
        perform(at: now) { player in player.runCountdown(at: now) { $0.setRemaining(remaining, at: now) } }
    }

    /// Adds seconds to this run; a negative number removes them. At 0 or below, the sequence continues.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` while stopped,
    ///   ``TimerEngine/CountdownError/tooLong(seconds:)`` if more than 23:59:59 would be left.
    public mutating func add(_ seconds: Int, at now: Instant) throws(PlayerError) -> [Event] {
        try callCountdown(at: now) { (countdown) throws(TimerEngine.CountdownError) in
            try countdown.add(seconds, at: now)
        }
    }
}

// MARK: - Helpers

extension TimerPlayer {
    /// Advances the player to `now`, then performs an action; if that is refused, nothing changes.
    mutating func perform<Failure: Error>(
        at now: Instant, _ action: (inout TimerPlayer) throws(Failure) -> [Event]
    ) throws(Failure) -> [Event] {
        var next = self
        var events = next.advance(to: now)
        events += try action(&next)
        // Whatever starts a timer uses the times that are put up for it.
        if next.oneOff == nil, next.countdown.mode != .stopped { next.oneOff = next.prepared }
        self = next
        return events
    }

    private mutating func callCountdown(
        at now: Instant,
        _ call: (inout TimerEngine.Countdown) throws(TimerEngine.CountdownError) -> [TimerEngine.Countdown.Event]
    ) throws(PlayerError) -> [Event] {
        try perform(at: now) { (player) throws(PlayerError) in
            do throws(TimerEngine.CountdownError) {
                return try player.runCountdown(at: now, call)
            } catch { throw .countdown(error) }
        }
    }

    /// Selects a timer and starts it; an earlier run ends.
    mutating func run(_ path: TimerPath, at now: Instant) throws(PlayerError) -> [Event] {
        guard let timer = model[path] else { throw .model(.noTimer(at: path)) }
        let prepared = path == model.selected ? prepared : nil
        let thresholds = prepared?.thresholds ?? timer.thresholds
        guard thresholds.start > 0 else { throw .countdown(.nothingToRun) }
        let from = mode
        let ended = from == .stopped ? [] : [endRun(at: now)]
        model.selected = path
        (self.prepared, oneOff) = (prepared, prepared)
        return ended + begin(thresholds, from: from, at: now)
    }

    /// Selects a timer and shows it stopped; an earlier run ends.
    mutating func show(_ path: TimerPath, at now: Instant) -> [Event] {
        let from = mode.unpaused
        var events = from == .stopped ? [] : [endRun(at: now)]
        if path != model.selected { prepared = nil }
        model.selected = path
        countdown = freshCountdown
        if from != .stopped { events.append(.modeChanged(from: from, to: .stopped, at: now)) }
        return events
    }

    /// Selects a timer as next, previous and play do: it starts at once if the settings say so and its starting time is
    /// above 0; otherwise it stays stopped.
    mutating func choose(_ path: TimerPath, at now: Instant) -> [Event] {
        if model.settings.startTimerImmediately, let events = try? run(path, at: now) { return events }
        return show(path, at: now)
    }
}
