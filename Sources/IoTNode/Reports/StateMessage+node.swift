internal import BrokerLink
internal import FoundationEssentials
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// A snapshot of the values that a node publishes.
struct ShownNode {
    let now: Moment
    /// The id of the machine's boot.
    let boot: String
    /// The leader's timer if there is a leader, otherwise the node's own; the same applies to ``talk``.
    let timer: RunningTimer
    let talk: Talk
    let undo: Undo?
    let history: RunHistory
    let agenda: AgendaControl
    let programme: ProgrammeControl
    let follower: Follower?
    let outputs: OutputControl.Report
    /// The tolerance for the length of a run, in seconds.
    let grace: Int
    /// Why lines are not held; nil if they are.
    let linesFault: String?
}

extension StateMessage {
    /// Creates the message with the node's state at a moment.
    init(_ node: ShownNode) {
        self.init()
        let (timer, talk, now) = (node.timer, node.talk, node.now)
        let (player, countdown) = (timer.player, timer.player.countdown)
        let (path, item, thresholds) = (player.model.selected, player.model.selectedTimer, countdown.thresholds)
        let left = countdown.remaining(at: now.instant)
        mode = ModeName(player.mode)
        pausedMode = player.mode.isPaused ? ModeName(player.mode.unpaused) : nil
        remaining = left.shownSeconds
        preciseRemaining = left
        // If time was added, the remaining time may exceed the start. The elapsed time is then zero.
        elapsed = max(.zero, .seconds(thresholds.start) - left)
        progress = thresholds.start > 0 ? ((elapsed / .seconds(thresholds.start)) * 1000).rounded() / 1000 : 0
        display = TimerEngine.timerDisplay(of: remaining)
        (start, warning, final) = (thresholds.start, thresholds.warning, thresholds.final)
        startedAt = timer.startedAt.map { now.date(of: $0) }
        endsAt = countdown.zero.map { now.date(of: $0) }
        until = node.follower == nil ? timer.clock?.date : node.follower?.known.state?.until
        overtime = countdown.alarmedSince.map { max(.zero, $0.duration(to: now.instant)) }
        self.timer.path = path
        self.timer.id = item.id
        self.timer.name = player.name
        self.timer.event = item.event
        self.timer.location = item.location
        group.index = path.group + 1
        group.name = player.model.selectedGroup.name
        group.display = player.model.selectedGroup.display
        next = player.upNext
        last = player.lastRun.map(Run.init)
        if let follower = node.follower {
            last?.endedAt = follower.known.state?.last?.endedAt
            undo = follower.known.state?.undo
        } else {
            last?.endedAt = timer.lastEndedAt.map { now.date(of: $0) }
            undo = node.undo.map { Undo(command: $0.command.rawValue, until: now.date(of: $0.until)) }
        }
        run = timer.currentRun(at: now.instant, grace: node.grace)
        outputs = node.outputs.states
        patterns = node.outputs.patterns
        date = now.date
        speaker = talk.speaker
        locked = talk.locked
        meeting = node.follower == nil ? Meeting(node.agenda, player.model, at: now) : node.follower?.meeting
        if let others = meeting?.left { meeting?.left = others + remaining }
        lead =
            node.follower == nil
            ? node.agenda.lead.map { Lead(name: $0.name, at: $0.at) } : node.follower?.known.state?.lead
        entry = node.follower == nil ? node.programme.shown : node.follower?.known.state?.entry
        budget = node.follower == nil ? timer.budget(at: now.instant) : node.follower?.budget
        follows = node.follower?.leader.node
        clock.now = BootTime(boot: node.boot, now: now.instant.sinceEpoch)
        clock.since = timer.modeSince?.sinceEpoch
        clock.zero = (countdown.zero ?? countdown.alarmedSince)?.sinceEpoch
    }

    /// The state without the values that can be computed from the time and the rest of the state. While this stays the
    /// same, there is nothing to publish.
    var withoutTick: StateMessage {
        var state = self
        (state.remaining, state.preciseRemaining, state.elapsed, state.progress) = (0, .zero, .zero, 0)
        (state.display, state.overtime) = ("", nil)
        state.run?.used = .zero
        state.run?.paused = .zero
        // A budget that is counted down has a fixed end.
        if state.budget?.zero != nil { state.budget?.left = .zero }
        // Dates are computed from instants, so they change when the system adjusts its clock.
        (state.startedAt, state.endsAt, state.date) = (nil, nil, .unread)
        state.last?.endedAt = nil
        state.undo?.until = .unread
        state.clock.now = BootTime()
        if let left = meeting?.left { state.meeting?.left = left - remaining }
        (state.patterns, state.revision) = ([:], 0)
        return state
    }
}

extension StateMessage.Run {
    fileprivate init(_ run: TimerPlayer.Run) {
        self.init()
        (timer, used, over) = (run.path, run.used, run.over)
    }
}

extension StateMessage.Meeting {
    /// Creates the current meeting; `left` excludes the time of the current timer, which changes.
    fileprivate init?(_ agenda: AgendaControl, _ model: TimerModel, at now: Moment) {
        let group = model.selected.group + 1
        guard let (begun, meeting) = agenda.current(at: now.date, group: group) else { return nil }
        self.init()
        (name, beganAt, plannedEnd) = (meeting.name, begun.beganAt, begun.end)
        guard meeting.group == group else { return }
        left = model.selectedGroup.timers.dropFirst(model.selected.item + 1).reduce(0) { $0 + $1.thresholds.start }
    }
}
