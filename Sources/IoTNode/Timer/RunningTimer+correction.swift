internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

// Corrections: a run began at another time than the commands said, or continues although a command ended it. The result
// is the same as if it had happened right from the start, but only the present is published.
extension RunningTimer {
    /// What a correction changed.
    struct Correction: Sendable {
        /// What a late command did at the instant that it names; empty for other corrections.
        var command: [Step] = []
        /// The player after that command; nil for other corrections.
        var commanded: TimerPlayer?
        /// What has happened since then. It is recorded, but not published.
        var since: [Step] = []
        /// The difference that a viewer sees.
        var visible: [Step] = []

        /// The steps to publish: each run that ended, then the visible difference.
        var published: [Step] { (command + since).filter { $0.ended != nil } + visible }
    }

    /// Calls the player as if it were an earlier instant; if that fails, nothing changes.
    ///
    /// A run that is in progress now ends at that earlier instant.
    mutating func act<Failure: Error>(
        asOf then: Instant, at now: Instant, _ action: (inout TimerPlayer) throws(Failure) -> [TimerPlayer.Event]
    ) throws(Failure) -> Correction {
        var corrected = self
        corrected.turnBack(to: then)
        var correction = Correction(command: try corrected.act(at: then, action))
        correction.commanded = corrected.player
        correction.since = corrected.advance(to: now)
        correction.visible = corrected.steps(since: player, at: now)
        self = corrected
        return correction
    }

    /// Moves the beginning of the current run to another instant.
    ///
    /// - Parameter zero: when the run ends by the clock, whatever its beginning; nil for any other run.
    mutating func moveBeginning(to began: Instant, zero: Instant?, at now: Instant) -> Correction {
        guard let old = startedAt else { return Correction() }
        let (before, since) = (player, modeSince)
        // A mode may also have begun because time was added. It then keeps its beginning.
        let isByTime = since == before.countdown.modeSince(began: old)
        startedAt = began
        let clock = clock
        var events = player.moveBeginning(
            to: began, from: old, isEndedByCall: isEndedByCall, pausedSince: before.mode.isPaused ? since ?? now : nil,
            at: now)
        if let zero { events += player.moveZero(to: zero, at: now) }
        var correction = Correction(since: steps(of: events, from: before, at: now))
        self.clock = clock
        if isByTime || player.mode != before.mode {
            modeSince = startedAt.flatMap { player.countdown.modeSince(began: $0) } ?? modeSince
        } else {
            modeSince = since
        }
        correction.visible = steps(since: before, at: now).filter { step in
            // A pause that goes on is no change of the mode.
            if case .modeChanged(let from, let to, _) = step.event { !from.isPaused || !to.isPaused } else { true }
        }
        return correction
    }

    /// Whether a command raised the alarm before the time was over.
    private var isEndedByCall: Bool {
        guard let since = player.countdown.alarmedSince else { return false }
        let length = Duration.seconds(player.countdown.thresholds.start) + added
        return player.countdown.used(at: since) < length - .milliseconds(1)
    }

    /// Turns the timer back to an earlier instant.
    private mutating func turnBack(to then: Instant) {
        player.turnBack(to: then, began: startedAt, modeSince: modeSince)
        guard let startedAt, let since = modeSince, then < since else { return }
        modeSince = min(then, player.countdown.modeSince(began: startedAt) ?? then)
    }

    /// Returns the steps that lead from another player to this one: at most one change of the mode and one tick.
    func steps(since before: TimerPlayer, at now: Instant) -> [Step] {
        var events: [TimerPlayer.Event] = []
        if player.mode != before.mode {
            let isPause = player.mode.isPaused || player.mode.isRunning
            let from = isPause ? before.mode : before.mode.unpaused
            if from != player.mode { events.append(.modeChanged(from: from, to: player.mode, at: modeSince ?? now)) }
        }
        if let second = player.countdown.ticked, let zero = player.countdown.zero,
            second != before.countdown.ticked || player.model.selected != before.model.selected
        {
            events.append(.tick(second, at: min(now, zero - .seconds(second))))
        }
        let position = position(at: now)
        return events.map { Step(event: $0, position: position) }
    }
}

// MARK: - Bringing a run back

extension RunningTimer {
    /// A run that can be brought back: the timer's state without the timers themselves.
    struct Run: Hashable, Sendable {
        var state = TimerPlayer.RunState(timer: .unread, countdown: Countdown(.zero))
        var startedAt: Instant?
        var runID: UUID?
        var added: Duration = .zero
        var modeSince: Instant?
        var lastEndedAt: Instant?
        var clock: ClockEnd?
    }

    /// The current selection and its run.
    var run: Run {
        Run(
            state: player.runState, startedAt: startedAt, runID: runID, added: added, modeSince: modeSince,
            lastEndedAt: lastEndedAt, clock: clock)
    }

    /// Brings a run back as if it had gone on; returns nil, changing nothing, if its timer no longer exists.
    mutating func bringBack(_ run: Run, at now: Instant) -> Correction? {
        let before = player
        guard player.bringBack(run.state) else { return nil }
        (startedAt, runID, added) = (run.startedAt, run.runID, run.added)
        (modeSince, lastEndedAt, clock) = (run.modeSince, run.lastEndedAt, run.clock)
        var correction = Correction(since: advance(to: now))
        correction.since += act(at: now) { $0.adoptThresholds(at: now) }
        correction.visible = steps(since: before, at: now)
        return correction
    }
}

extension RunningTimer.Run: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var countdown = state.countdown.snapshot
        try visitor.field("timer", &state.timer, "The id of the selected timer.")
        try visitor.field("countdown", &countdown, "The countdown.")
        try visitor.field("one_off", &state.oneOff, .omitted, "The settings of a one-off run.")
        try visitor.field("prepared", &state.prepared, .omitted, "The settings for each start, if not the timer's.")
        var accounts = SavedAccount.list(state.accounts)
        try visitor.field("accounts", &accounts, ListBounds(()), .omitted, "The accounts.")
        try visitor.field("last_run", &state.lastRun, .omitted, "The last run that had ended before.")
        try visitor.field("started_at", &startedAt, .omitted, "When the run started.")
        try visitor.field("run", &runID, .omitted, "The id of the run.")
        try visitor.field("added", &added, .instants, "The time that was added during the run.")
        try visitor.field("mode_since", &modeSince, .omitted, "When the mode began.")
        try visitor.field("last_ended_at", &lastEndedAt, .omitted, "When the last run had ended before.")
        try visitor.field("clock", &clock, .omitted, "When it ends by the clock.")
        try visitor.check { (_) throws(Refusal) in
            state.accounts = SavedAccount.accounts(accounts)
            do throws(CountdownError) { state.countdown = try Countdown(countdown) } catch {
                throw Refusal(.invalidPayload, error.description)
            }
        }
    }
}
