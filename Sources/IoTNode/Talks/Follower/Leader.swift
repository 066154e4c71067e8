internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// What a leader published, and what follows from it on this machine's clock.
struct Leader: Hashable, Sendable {
    /// Whether it is connected to the broker; nil until that is known.
    var availability: Availability?
    private(set) var state: StateMessage?
    var timers: TimersMessage?
    var message: ShownMessage?

    /// What the leader's timer does, on this machine's clock.
    struct Run: Hashable, Sendable {
        var player: TimerPlayer
        var startedAt: Instant?
        /// When the mode began; nil where the leader's clock is not known.
        var modeSince: Instant?
    }

    /// Takes a state over, unless it is the one that is known; returns whether it was new.
    ///
    /// - Throws: why it cannot be followed, for the log.
    mutating func take(_ new: StateMessage) throws(Unusable) -> Bool {
        if let other = new.follows {
            throw Unusable("it follows \(other) itself, and only a node with timers of its own can be followed")
        }
        guard Self.thresholds(of: new) != nil, Self.isPossible(new) else {
            throw Unusable("its state has impossible times")
        }
        if new == state { return false }
        state = new
        return true
    }

    /// Why a state cannot be followed.
    struct Unusable: Error, Hashable, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private static func thresholds(of state: StateMessage) -> Thresholds? {
        try? Thresholds(start: state.start, warning: state.warning, final: state.final)
    }

    /// Whether a countdown can be so; arithmetic with other times might overflow.
    private static func isPossible(_ state: StateMessage) -> Bool {
        let longest = Duration.seconds(Thresholds.longest)
        let left = state.clock.zero.map { $0 - state.clock.now.now }
        switch state.mode {
        case .stopped: return true
        case .paused: return .zero < state.preciseRemaining && state.preciseRemaining <= longest
        case .countdown, .warning, .final: return left.map { .zero - .seconds(1) < $0 && $0 <= longest } ?? false
        case .alarm: return left.map { $0 <= .seconds(1) } ?? false
        }
    }
}

// MARK: - On this machine's clock

extension Leader {
    /// What the leader's timer does at an instant, as far as its last state tells: since then it has gone on by itself.
    ///
    /// - Parameter offset: how far the leader's clock is ahead of ours; nil where that is not known.
    /// - Returns: nil without a state, and where time passes and the offset is not known.
    func run(offset: Duration?, at now: Instant) -> Run? {
        guard let state, let thresholds = Self.thresholds(of: state) else { return nil }
        let clock = state.clock
        func instant(_ time: Duration) -> Instant? {
            offset.map { Instant(sinceEpoch: time - $0) }
        }
        let position: Countdown.Position
        switch state.mode {
        case .stopped: position = .stopped
        case .paused: position = .paused(remaining: state.preciseRemaining)
        case .countdown, .warning, .final:
            guard let zero = clock.zero.flatMap(instant) else { return nil }
            position = .running(zero: zero)
        case .alarm:
            guard let since = clock.zero.flatMap(instant) else { return nil }
            position = .alarm(since: since)
        }
        let (model, oneOff) = timers(thresholds, state)
        let last = state.last.map {
            TimerPlayer.Run(path: $0.timer, name: model[$0.timer]?.name ?? "", used: $0.used, over: $0.over)
        }
        let then = instant(clock.now.now) ?? now
        var player = TimerPlayer(
            mirroring: model, at: position, oneOff: oneOff, lastRun: last, used: state.run?.used, then: then)
        var startedAt = state.startedAt.flatMap { self.instant(of: $0, offset: offset) } ?? then
        var since = clock.since.flatMap(instant)
        for event in player.advance(to: now) {
            switch event {
            case .modeChanged(_, _, let instant): since = instant
            case .movedOn(_, _, let instant): startedAt = instant
            case .tick, .runEnded: break
            }
        }
        return Run(player: player, startedAt: player.mode == .stopped ? nil : startedAt, modeSince: since)
    }

    /// The instant of a date by the leader's wall clock.
    func instant(of date: Date, offset: Duration?) -> Instant? {
        guard let offset, let state else { return nil }
        return Instant(sinceEpoch: state.clock.now.now + .seconds(state.date.distance(to: date)) - offset)
    }

    /// The leader's timers with its selection, and its one-off run. Where they are not known, or not those of the state,
    /// there is the one timer of the state.
    private func timers(
        _ thresholds: Thresholds, _ state: StateMessage
    ) -> (TimerModel, TimerPlayer.OneOff?) {
        let told = state.timer
        guard var model = timers?.model, let path = model.path(of: told.id), (try? model.select(path)) != nil else {
            return (Self.model(of: state, thresholds), nil)
        }
        let timer = model.selectedTimer
        if timer.thresholds == thresholds, timer.name == told.name,
            state.mode == .stopped || (state.next == nil) == (model.successor(of: path) == nil)
        {
            return (model, nil)
        }
        guard state.mode == .stopped else {
            return (model, TimerPlayer.OneOff(thresholds: thresholds, name: told.name))
        }
        // The state is newer than the timers, or older: they come one after the other.
        try? model.edit(path) { ($0.thresholds, $0.name) = (thresholds, told.name) }
        return (model, nil)
    }

    private static func model(of state: StateMessage, _ thresholds: Thresholds) -> TimerModel {
        let told = state.timer
        let timer = TimerItem(
            id: told.id, name: told.name, thresholds: thresholds, qualifying: state.run?.qualifying ?? .none,
            event: told.event, location: told.location)
        let group = TimerGroup(name: state.group.name, display: state.group.display, timers: [timer])
        // One group with one timer is always a model.
        return (try? TimerModel(groups: [group])) ?? TimerModel()
    }
}

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
