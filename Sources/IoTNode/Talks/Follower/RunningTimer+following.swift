internal import TimerEngine
internal import TimerProtocol

extension RunningTimer {
    /// How far two clocks may be apart without a lamp going back.
    private static let tolerance: Duration = .milliseconds(100)

    /// Shows what a leader's timer does.
    ///
    /// What is shown already is not taken back: where the leader will show the same a moment later, that is shown from
    /// now on. So no lamp flickers when its clock turns out to be a little behind what we took it for.
    ///
    /// - Returns: what changed with it.
    mutating func show(_ run: Leader.Run, at now: Instant) -> [Step] {
        let before = player
        var new = run.player
        if !new.shows(theSameAs: before) {
            var soon = new
            _ = soon.advance(to: now + Self.tolerance)
            if soon.shows(theSameAs: before) { new = soon }
        }
        let since = run.modeSince ?? (new.mode == before.mode ? modeSince : nil) ?? now
        // It follows from two dates to the millisecond, and would be another one with each state.
        let isSame = startedAt.flatMap { old in run.startedAt.map { Self.isNear($0, old) } } ?? false
        replace(new, startedAt: isSame ? startedAt : run.startedAt, modeSince: min(since, now))
        let position = position(at: now)
        return Self.changes(from: before, to: new, since: min(since, now), at: now).map {
            Step(event: $0, position: position)
        }
    }

    private static func isNear(_ one: Instant, _ other: Instant) -> Bool {
        (.zero - tolerance...tolerance).contains(one.duration(to: other))
    }

    private static func changes(
        from before: TimerPlayer, to new: TimerPlayer, since: Instant, at now: Instant
    ) -> [TimerPlayer.Event] {
        var events: [TimerPlayer.Event] = []
        // The leader was at zero a moment before we would have been.
        if let zero = before.countdown.zero, let due = new.beganAtZero, isNear(zero, due) {
            events.append(.tick(0, at: min(now, due)))
        }
        if new.mode != before.mode {
            let isPause = new.mode.isPaused || new.mode.isRunning
            let from = isPause ? before.mode : before.mode.unpaused
            if from != new.mode { events.append(.modeChanged(from: from, to: new.mode, at: since)) }
        }
        if let second = new.countdown.ticked, let zero = new.countdown.zero,
            second != before.countdown.ticked || new.model.selected != before.model.selected
        {
            events.append(.tick(second, at: min(now, zero - .seconds(second))))
        }
        return events
    }
}

extension TimerPlayer {
    /// When the timer before it was at zero, if the alarm or the next timer followed then.
    fileprivate var beganAtZero: Instant? {
        countdown.alarmedSince ?? countdown.zero.map { $0 - .seconds(countdown.thresholds.start) }
    }
}
