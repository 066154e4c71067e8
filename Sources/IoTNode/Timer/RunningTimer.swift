internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The player, together with the details of its current run that the player itself does not keep.
struct RunningTimer: Hashable, Sendable {
    /// A player event, with the timer's position at that time.
    struct Step: Hashable, Sendable {
        let event: TimerPlayer.Event
        let position: EventPosition
        /// The run that ended, if the event ends a run.
        var ended: EndedRun?
        /// Whether the mode is not announced by sounds, because it was before the clock was set back.
        var isQuiet = false
    }

    var player: TimerPlayer
    var startedAt: Instant?
    /// The id of the current run; nil while stopped.
    var runID: UUID?
    /// The net time that was added during the current run; negative if more was removed than added.
    var added: Duration = .zero
    /// When the current mode began.
    var modeSince: Instant?
    /// The end of the current run on the clock; nil if it does not end by the clock.
    var clock: ClockEnd?
    /// When the last run ended; nil if no run has ended yet.
    var lastEndedAt: Instant?
    /// Increases with each change to the timers, except a change of selection.
    private(set) var modelRevision = 1
    private var ids: SplitMix64

    /// - Parameter seed: determines the ids of the runs.
    init(_ player: TimerPlayer, seed: UInt64) {
        self.player = player
        ids = SplitMix64(state: ~seed)
    }

    /// The timers, as published on the topic `timers`.
    var timers: TimersMessage { TimersMessage(player.modelWithAccounts, revision: modelRevision) }

    /// Resumes from a saved state.
    mutating func restore(_ state: SavedNodeState) {
        (player, modelRevision, modeSince) = (state.player, state.modelRevision, state.modeSince)
        lastEndedAt = state.lastEndedAt
        guard player.mode != .stopped else { return }
        clock = state.clock
        (startedAt, added, runID) = (state.startedAt, state.added, state.run ?? .random(using: &ids))
    }

    /// Replaces the timer's state with another node's state.
    mutating func replace(_ player: TimerPlayer, startedAt: Instant?, modeSince: Instant) {
        (self.player, self.startedAt, self.modeSince) = (player, startedAt, modeSince)
    }

    var nextInstant: Instant? { player.nextInstant }

    /// Advances the timer to the current moment.
    mutating func advance(to now: Instant) -> [Step] { act(at: now) { $0.advance(to: now) } }

    /// Calls the player; if that fails, nothing changes.
    ///
    /// - Parameter addsTime: whether the call adds time to the current run or removes time from it.
    mutating func act<Failure: Error>(
        at now: Instant, addsTime: Bool = false,
        _ action: (inout TimerPlayer) throws(Failure) -> [TimerPlayer.Event]
    ) throws(Failure) -> [Step] {
        let before = player
        let events = try action(&player)
        return steps(
            of: events, from: before, at: now, planned: addsTime ? before.countdown.plannedLength(at: now) : nil)
    }

    /// Changes the timers; if that fails, nothing changes.
    mutating func edit(
        at now: Instant, _ change: (inout TimerModel) throws(ModelError) -> Void
    ) throws(PlayerError) -> [Step] {
        let before = TimersMessage(player.model)
        let steps = try act(at: now) { (player) throws(PlayerError) in try player.edit(at: now, change) }
        if TimersMessage(player.model) != before { modelRevision += 1 }
        return steps
    }

    /// - Parameter planned: the length of the run before time was added or removed; nil if neither happened.
    mutating func steps(
        of events: [TimerPlayer.Event], from before: TimerPlayer, at now: Instant, planned: Duration? = nil
    ) -> [Step] {
        var planned = planned
        var ended: [EndedRun?] = []
        // Only the first run that ends may be a one-off run.
        var oneOff = before.oneOff
        for event in events {
            var run: EndedRun?
            switch event {
            case .runEnded(let timing, let instant):
                // All of the remaining time may have been removed.
                if let planned { added += timing.used - planned }
                run = EndedRun(
                    id: runID ?? .random(using: &ids), timing: timing, startedAt: startedAt ?? instant,
                    endedAt: instant, added: added,
                    of: before.model, oneOff: oneOff)
                (oneOff, planned) = (nil, nil)
                lastEndedAt = instant
                begin(at: instant)
            case .modeChanged(let from, _, let instant):
                modeSince = instant
                if from == .stopped { begin(at: instant) }
            case .movedOn, .tick: break
            }
            ended.append(run)
        }
        if let planned { added += player.countdown.plannedLength(at: now) - planned }
        if player.mode == .stopped { (startedAt, runID, added) = (nil, nil, .zero) }
        if player.mode == .stopped || ended.contains(where: { $0 != nil }) { clock = nil }
        let positions = EventPosition.positions(at: events, from: before, to: player, now: now)
        return events.indices.map { index in
            var step = Step(event: events[index], position: positions[index], ended: ended[index])
            if case .modeChanged(let from, let to, _) = events[index] {
                step.isQuiet = clock?.hasAnnounced(to, after: from) == true
            }
            return step
        }
    }

    private mutating func begin(at instant: Instant) {
        startedAt = instant
        runID = .random(using: &ids)
        added = .zero
    }

    /// Returns the current run in the form that the report will contain; nil while stopped.
    ///
    /// - Parameter grace: the tolerance for the length of the run, in seconds.
    func currentRun(at now: Instant, grace: Int) -> StateMessage.CurrentRun? {
        guard player.mode != .stopped else { return nil }
        let used = player.countdown.used(at: now)
        let length = startedAt?.duration(to: now) ?? used
        var run = StateMessage.CurrentRun()
        (run.used, run.paused, run.grace) = (used, max(.zero, length - used), grace)
        let rule = player.oneOff?.qualifying ?? player.model.selectedTimer.qualifying
        run.qualifying = rule.moved(by: added.roundedToSeconds)
        return run
    }

    /// Returns the timer's current position.
    func position(at now: Instant) -> EventPosition {
        EventPosition(timer: player.model.selected, remaining: player.countdown.shownSeconds(at: now))
    }
}

extension Countdown {
    /// How long the run takes if it ends at zero; during the alarm, how long it took to reach the alarm.
    fileprivate func plannedLength(at now: Instant) -> Duration {
        used(at: now) + remaining(at: now) - (alarmedSince?.duration(to: now) ?? .zero)
    }
}

extension QualifyingTime {
    /// Returns the rule for a run to which a number of seconds was added, or from which they were removed if negative.
    /// The lamps change that much later, so the bounds move by the same amount. A maximum remains at least 1, however
    /// much time was removed.
    func moved(by seconds: Int) -> QualifyingTime {
        guard seconds != 0 else { return self }
        var rule = QualifyingTime.none
        if let maximum { rule = rule.setting(maximum: max(1, maximum + seconds)) }
        if let minimum { rule = rule.setting(minimum: max(0, minimum + seconds)) }
        return rule
    }
}

extension Duration {
    /// The duration rounded to the nearest whole second.
    var roundedToSeconds: Int { Int((self / .seconds(1)).rounded()) }
}

extension EventPosition {
    /// Returns the timer's positions at the events of one call, in event order.
    ///
    /// They are computed backwards from the position after the call. When the sequence moves on, the previous timer
    /// reached zero at that instant, so its remaining time at earlier instants is known.
    ///
    /// - Parameters:
    ///   - events: the events that the call returned.
    ///   - before: the player before the call.
    ///   - after: the player after the call.
    ///   - now: when the call was made.
    static func positions(
        at events: [TimerPlayer.Event], from before: TimerPlayer, to after: TimerPlayer, now: Instant
    ) -> [EventPosition] {
        if events.isEmpty { return [] }
        var timer = after.model.selected
        var zero = after.countdown.zero ?? after.countdown.alarmedSince
        var isSequence = false
        let positions = events.reversed().map { event in
            var position = EventPosition(
                timer: timer,
                remaining: zero.map { max(.zero, event.instant.duration(to: $0)).shownSeconds }
                    ?? after.countdown.shownSeconds(at: now))
            switch event {
            case .movedOn(let from, _, let instant): (timer, zero) = (from, instant)
            case .runEnded(let run, let instant):
                // If the sequence did not move on, then the call itself ended the run.
                let left = isSequence ? 0 : before.countdown.shownSeconds(at: instant)
                position = EventPosition(timer: run.path, remaining: left)
            case .tick, .modeChanged: break
            }
            if case .movedOn = event { isSequence = true } else { isSequence = false }
            return position
        }
        return positions.reversed()
    }
}
