internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// What the `state` topic says, except what changes with each second.
///
/// As long as the report stays equal, the state has not changed and is not published.
struct StateReport: Hashable, Sendable {
    let mode: TimerEngine.Mode
    let thresholds: TimerEngine.Thresholds
    /// When a running timer reaches zero.
    let zero: TimerEngine.Instant?
    let alarmedSince: TimerEngine.Instant?
    let startedAt: TimerEngine.Instant?
    let path: TimerPath
    let timer: TimerItem
    /// The name of what runs or is selected.
    let name: String
    let group: Group
    let next: TimerPath?
    let last: TimerPlayer.Run?
    /// When the mode began.
    let since: TimerEngine.Instant?
    let speaker: String?
    let locked: LockLevel?
    /// The meeting in progress; what is left of it follows from the rest.
    let meeting: StateMessage.Meeting?
    /// The node that this one follows.
    let follows: String?
    /// What each output does.
    let outputs: OutputStates

    struct Group: Hashable, Sendable {
        let name: String
        let display: TimerGroup.Display
    }

    init(
        _ timer: RunningTimer, _ talk: Talk, _ agenda: AgendaControl, _ follower: Follower?, outputs: OutputStates,
        at now: Moment
    ) {
        let player = timer.player
        mode = player.mode
        thresholds = player.countdown.thresholds
        zero = player.countdown.zero
        alarmedSince = player.countdown.alarmedSince
        startedAt = timer.startedAt
        path = player.model.selected
        self.timer = player.model.selectedTimer
        name = player.name
        group = Group(name: player.model.selectedGroup.name, display: player.model.selectedGroup.display)
        next = player.upNext
        last = player.lastRun
        since = timer.modeSince
        speaker = talk.speaker
        locked = talk.locked
        let selected = player.model.selected
        follows = follower?.leader.node
        let own = agenda.current(at: now.date, group: selected.group + 1).map { begun, meeting in
            // The timers that follow in the group; the present one's time passes.
            let following = player.model.selectedGroup.timers.dropFirst(selected.item + 1)
            return StateMessage.Meeting(
                name: meeting.name, beganAt: begun.beganAt, plannedEnd: begun.end,
                left: meeting.group == selected.group + 1 ? following.reduce(0) { $0 + $1.thresholds.start } : nil)
        }
        meeting = follower == nil ? own : follower?.meeting
        self.outputs = outputs
    }
}

extension StateMessage {
    /// The message for a report at one moment.
    ///
    /// What is given beside the report follows from it and from the passing time, so that no state is published for that
    /// alone.
    ///
    /// - Parameters:
    ///   - run: the run that is going on.
    ///   - patterns: how outputs go on and off.
    init(
        _ report: StateReport, run: CurrentRun?, patterns: [OutputName: OutputPattern], remaining: Duration,
        revision: Int, boot: String, at now: Moment
    ) {
        let (mode, thresholds) = (report.mode, report.thresholds)
        let start = Duration.seconds(thresholds.start)
        // After time was added, more than the start may be left: then nothing of the run has passed yet.
        let elapsed = max(.zero, start - remaining)
        let shown = remaining.shownSeconds
        self.init(
            mode: ModeName(mode),
            pausedMode: mode.isPaused ? ModeName(mode.unpaused) : nil,
            remaining: shown,
            preciseRemaining: remaining,
            elapsed: elapsed,
            progress: thresholds.start > 0 ? ((elapsed / start) * 1000).rounded() / 1000 : 0,
            display: TimerEngine.timerDisplay(of: shown),
            start: thresholds.start,
            warning: thresholds.warning,
            final: thresholds.final,
            startedAt: report.startedAt.map { now.date(of: $0) },
            endsAt: report.zero.map { now.date(of: $0) },
            overtime: report.alarmedSince.map { max(.zero, $0.duration(to: now.instant)) },
            timer: Timer(
                path: report.path, id: report.timer.id, name: report.name, event: report.timer.event,
                location: report.timer.location),
            group: Group(index: report.path.group + 1, name: report.group.name, display: report.group.display),
            next: report.next,
            last: report.last.map { Run(timer: $0.path, used: $0.used, over: $0.over) },
            run: run,
            outputs: report.outputs,
            patterns: patterns,
            date: now.date,
            speaker: report.speaker,
            locked: report.locked,
            meeting: report.meeting.map { meeting in
                var meeting = meeting
                meeting.left = meeting.left.map { $0 + shown }
                return meeting
            },
            follows: report.follows,
            clock: Clock(
                now: BootTime(boot: boot, now: now.instant.sinceEpoch), since: report.since?.sinceEpoch,
                zero: (report.zero ?? report.alarmedSince)?.sinceEpoch),
            revision: revision)
    }
}
