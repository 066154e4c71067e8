internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The messages that a leader published, and the resulting state on this machine's clock.
struct Leader: Hashable, Sendable {
    /// Whether the leader is connected to the broker; nil until that is known.
    var availability: Availability?
    private(set) var state: StateMessage?
    var timers: TimersMessage?
    var message: ShownMessage?

    /// The state of the leader's timer, on this machine's clock.
    struct Run: Hashable, Sendable {
        var player: TimerPlayer
        var startedAt: Instant?
        /// When the mode began; nil if the leader's clock is unknown.
        var modeSince: Instant?
    }

    /// Adopts a state unless it is already known; returns whether it was new.
    ///
    /// - Throws: the reason to log if the state cannot be followed.
    mutating func take(_ new: StateMessage) throws(Unusable) -> Bool {
        if let other = new.follows {
            throw Unusable("it is following \(other); only a node with its own timers can be followed")
        }
        guard Self.thresholds(of: new) != nil, Self.isPossible(new) else {
            throw Unusable("its state contains invalid times")
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

    /// Whether the times in a state are valid; arithmetic with invalid times might overflow.
    private static func isPossible(_ state: StateMessage) -> Bool {
        let longest = Duration.seconds(Thresholds.longest)
        let left = state.clock.zero.map { $0 - state.clock.now.now }
        switch state.mode {
        case .stopped: return .zero <= state.preciseRemaining && state.preciseRemaining <= longest
        case .paused: return .zero < state.preciseRemaining && state.preciseRemaining <= longest
        case .countdown, .warning, .final: return left.map { .zero - .seconds(1) < $0 && $0 <= longest } ?? false
        case .alarm: return left.map { $0 <= .seconds(1) } ?? false
        }
    }
}

// MARK: - On this machine's clock

extension Leader {
    /// Returns the state of the leader's timer at an instant: the last published state, advanced to that instant.
    ///
    /// - Parameter offset: how far the leader's clock is ahead of this machine's; nil if that is unknown.
    /// - Returns: the state; nil if no state is known, or if the timer is running and the offset is unknown.
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
            mirroring: model, at: position, oneOff: oneOff, lastRun: last, used: state.run?.used,
            reserve: state.preciseRemaining == .seconds(thresholds.start) ? nil : state.preciseRemaining, then: then)
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

    /// Returns the instant of a date by the leader's wall clock.
    func instant(of date: Date, offset: Duration?) -> Instant? {
        guard let offset, let state else { return nil }
        return Instant(sinceEpoch: state.clock.now.now + .seconds(state.date.distance(to: date)) - offset)
    }

    /// Returns the leader's timers with its selection, and its one-off run. If the timers are unknown or do not match
    /// the state, the model contains only the timer in the state.
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
        // The state and the timers arrive in separate messages, so one of them may be newer.
        try? model.edit(path) { ($0.thresholds, $0.name) = (thresholds, told.name) }
        return (model, nil)
    }

    private static func model(of state: StateMessage, _ thresholds: Thresholds) -> TimerModel {
        let told = state.timer
        let timer = TimerItem(
            id: told.id, name: told.name, thresholds: thresholds, qualifying: state.run?.qualifying ?? .none,
            event: told.event, location: told.location)
        return TimerModel(timer: timer, in: TimerGroup(name: state.group.name, display: state.group.display))
    }
}

extension RunningTimer {
    /// How far apart two clocks may be without a lamp switching back.
    private static let tolerance: Duration = .milliseconds(100)

    /// Shows the state of a leader's timer.
    ///
    /// The display never goes back: if the leader is about to reach the state shown here, that state stays. So no lamp
    /// flickers when the leader's clock turns out to be slightly behind the estimate.
    ///
    /// - Returns: the resulting changes.
    mutating func show(_ run: Leader.Run, at now: Instant) -> [Step] {
        let before = player
        var new = run.player
        if !new.shows(theSameAs: before) {
            var soon = new
            _ = soon.advance(to: now + Self.tolerance)
            if soon.shows(theSameAs: before) { new = soon }
        }
        let since = run.modeSince ?? (new.mode == before.mode ? modeSince : nil) ?? now
        // The start is computed from two dates with millisecond precision, so it would differ slightly with each state.
        let isSame = startedAt.flatMap { old in run.startedAt.map { Self.isNear($0, old) } } ?? false
        replace(new, startedAt: isSame ? startedAt : run.startedAt, modeSince: min(since, now))
        var steps = steps(since: before, at: now)
        // The leader reached zero slightly earlier than this node would have.
        if let zero = before.countdown.zero, let due = new.beganAtZero, Self.isNear(zero, due) {
            steps.insert(Step(event: .tick(0, at: min(now, due)), position: position(at: now)), at: 0)
        }
        return steps
    }

    private static func isNear(_ one: Instant, _ other: Instant) -> Bool {
        (.zero - tolerance...tolerance).contains(one.duration(to: other))
    }
}

extension TimerPlayer {
    /// When the previous timer reached zero, if the alarm or the next timer began at that instant.
    fileprivate var beganAtZero: Instant? {
        countdown.alarmedSince ?? countdown.zero.map { $0 - .seconds(countdown.thresholds.start) }
    }
}
