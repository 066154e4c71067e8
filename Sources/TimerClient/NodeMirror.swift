public import FoundationEssentials
public import TimerEngine
public import TimerProtocol

/// What is known of a node: the newest of each message that it published.
public struct NodeMirror: Hashable, Sendable {
    /// The node's id.
    public let id: String
    private var newest: [TopicKind: PublishedMessage] = [:]

    /// Whether the node itself has said something since the client is connected, and has left no command unanswered since.
    /// What a broker has kept does not tell that the node is there.
    public private(set) var isHeard: Bool {
        get { !time.isSilent }
        set { time.isSilent = !newValue }
    }

    /// When the message came, if it asks for attention and had just been sent; nil otherwise.
    public private(set) var attentionSince: TimerEngine.Instant?

    private var age = StateAge()
    /// When we heard that the node is not connected, or the beginning of time where that was retained; nil while it is.
    private var offlineSince: Instant?

    /// What is known of the node's boot clock.
    var time: NodeTime

    /// Whether it ever answered a question for the time, as no made-up node does.
    var hasAnswered = false

    init(id: String, time: NodeTime = NodeTime(ownBoot: nil, requests: nil)) {
        self.id = id
        self.time = time
        isHeard = false
    }
    /// When the node made its state, on our monotonic clock.
    var stateMadeAt: Instant { exactlyMadeAt ?? age.madeAt }

    /// Whether ``stateMadeAt`` rests on wall clocks.
    var isStateEstimated: Bool { exactlyMadeAt == nil && age.isEstimate }

    /// When the node made its state, by its boot clock; nil while that is not known.
    private var exactlyMadeAt: Instant? {
        guard let state, let offset = time.offset else { return nil }
        return Instant(sinceEpoch: state.clock.now.now - offset)
    }

    /// The time since the state was made.
    private func stateAge(at now: Instant) -> Duration {
        max(.zero, stateMadeAt.duration(to: now))
    }

    /// An instant of the node's boot clock, as the state has some, on our clock; nil until the state is known.
    func instant(_ onNodesClock: Duration) -> Instant? {
        state.map { stateMadeAt + (onNodesClock - $0.clock.now.now) }
    }

    /// Since when the node has not been connected; nil while it is, and where that is not known.
    public var disconnectedSince: TimerEngine.Instant? {
        offlineSince.flatMap { $0.sinceEpoch == .zero ? nil : $0 }
    }

    /// Whether nothing is known of the node any more.
    var isEmpty: Bool { newest.isEmpty }

    /// The node said something itself; returns whether that is news.
    mutating func heard() -> Bool {
        defer { isHeard = true }
        return !isHeard
    }

    /// Whether the node is there has to be found out; returns whether that is news.
    mutating func lost() -> Bool {
        defer { isHeard = false }
        return isHeard
    }

    mutating func receive(_ message: PublishedMessage, retained: Bool, at now: NodeClient.Moment) {
        if !retained { isHeard = true }
        switch message {
        case .availability(let availability):
            // A retained word does not tell since when.
            let since = retained ? Instant(sinceEpoch: .zero) : now.instant
            if availability != self.availability {
                offlineSince = availability == .offline ? since : nil
                if availability == .online { time.connected(at: now.instant) }
            }
        case .tick(let tick):
            if let state, state.mode.isRunning { age.tick(tick.remaining, state, at: now.instant) }
        case .state(let new):
            if time.refuses(new, after: state, at: now.instant) { return }
            // After a reconnection the broker sends again what is known.
            if !(retained && new == state) {
                age.receive(new, after: state, retained: retained, at: now)
                time.note(new, after: state, at: now.instant)
            }
            newest[.mode] = .mode(new.mode)
        case .message(let message):
            // A node publishes the same message again after each connection.
            if message != self.message {
                let isNew = message.attention && age.isNew(message.date, retained: retained, at: now.date)
                attentionSince = isNew ? now.instant : nil
            }
        default: break
        }
        let kind = message.kind
        if kind.isRetained { newest[kind] = message }
    }

    /// The node answered a command; returns nil where that was no question of ours for its time, else whether something
    /// is known of its state that was not.
    mutating func receive(_ response: Response, at now: NodeClient.Moment) -> Bool? {
        guard let isOther = time.receive(response, at: now.instant) else { return nil }
        hasAnswered = true
        // When the state was published does not matter: the node's clock tells when it was made.
        if isOther, let state = time.stateInPlace(of: state, at: now.instant) {
            receive(.state(state), retained: true, at: now)
        }
        return isOther
    }

    /// Forgets what was cleared; returns whether there was something.
    mutating func clear(_ kind: TopicKind) -> Bool {
        if kind == .message { attentionSince = nil }
        return newest.removeValue(forKey: kind) != nil
    }
}

// MARK: - What it said last

extension NodeMirror {
    /// Whether the node is connected to the broker; nil until that is known.
    public var availability: Availability? {
        if case .availability(let word) = newest[.availability] { word } else { nil }
    }
    /// Whether the node is connected to the broker.
    public var isOnline: Bool { availability == .online }
    /// What the timer is doing; nil until that is known.
    public var mode: ModeName? { if case .mode(let mode) = newest[.mode] { mode } else { nil } }
    /// What the node does, at the moment when it published that; ``remaining(at:)`` counts on from there.
    public var state: StateMessage? { if case .state(let state) = newest[.state] { state } else { nil } }
    /// The groups, timers and settings.
    public var timers: TimersMessage? { if case .timers(let timers) = newest[.timers] { timers } else { nil } }
    /// The node's own condition.
    public var health: HealthMessage? { if case .health(let health) = newest[.health] { health } else { nil } }
    /// The newest runs of the report.
    public var runs: RunsMessage? { if case .runs(let runs) = newest[.runs] { runs } else { nil } }
    /// The message to the speaker; nil where there is none.
    public var message: ShownMessage? { if case .message(let message) = newest[.message] { message } else { nil } }
    /// The meetings; nil where there is no agenda.
    public var agenda: AgendaMessage? { if case .agenda(let agenda) = newest[.agenda] { agenda } else { nil } }
}

// MARK: - Counting

extension NodeMirror {
    /// The time left at an instant, 0 or more; nil until the node's state is known.
    ///
    /// It goes on counting while the node is not connected, since its timer does so too.
    public func remaining(at now: TimerEngine.Instant) -> Duration? {
        guard let state else { return nil }
        guard state.mode.isRunning else { return max(.zero, state.preciseRemaining) }
        return max(.zero, state.preciseRemaining - stateAge(at: now))
    }

    /// The whole seconds left, as a display shows them; nil until the node's state is known.
    public func shownSeconds(at now: TimerEngine.Instant) -> Int? { remaining(at: now)?.shownSeconds }

    /// The time since the alarm; nil outside of it. It stands still while the node is not connected.
    public func overtime(at now: TimerEngine.Instant) -> Duration? {
        guard let state, let overtime = state.overtime else { return nil }
        return overtime + stateAge(at: offlineSince.map { min($0, now) } ?? now)
    }

    /// How long the present run has taken, as the node reckons it: pauses out, overtime in; nil while there is none,
    /// and where the node does not tell it.
    ///
    /// It stands still after a disconnection in the alarm, as ``overtime(at:)`` does.
    public func used(at now: TimerEngine.Instant) -> Duration? {
        guard let state, let run = state.run else { return nil }
        if state.mode.isRunning { return run.used + stateAge(at: now) }
        guard let before = state.overtime, let overtime = overtime(at: now), state.mode == .alarm else {
            return run.used
        }
        return run.used + (overtime - before)
    }

    /// What the node means by each mode; the usual where it does not tell.
    public var signals: ModeSignals { health?.signals ?? .podium }

    /// The part of the run that has passed, 0…1; nil until the node's state is known.
    public func progress(at now: TimerEngine.Instant) -> Double? {
        guard let state, let remaining = remaining(at: now) else { return nil }
        let progress = state.start > 0 ? 1 - remaining / .seconds(state.start) : state.progress
        return min(max(0, progress), 1)
    }

    /// When the next whole second of the time left, or of the overtime, begins; nil while nothing counts.
    public func nextSecond(after now: TimerEngine.Instant) -> TimerEngine.Instant? {
        if isOnline, let overtime = overtime(at: now) {
            return now + (.seconds(overtime.wholeSeconds + 1) - overtime)
        }
        guard let state, state.mode.isRunning, let remaining = remaining(at: now), remaining > .zero else { return nil }
        return now + (remaining - .seconds(remaining.shownSeconds - 1))
    }

    /// When a run ends, with the timers that follow it in its sequence; nil unless the timer runs.
    public func expectedEnd(at now: NodeClient.Moment) -> Date? {
        guard let state, state.mode.isRunning, let remaining = remaining(at: now.instant) else { return nil }
        return now.date.addingTimeInterval((remaining + .seconds(secondsToFollow)).inSeconds)
    }

    /// The seconds of the timers that follow the present one by themselves.
    private var secondsToFollow: Int {
        guard let state, state.next != nil, let groups = timers?.model.groups,
            groups.indices.contains(state.timer.path.group)
        else { return 0 }
        let group = groups[state.timer.path.group]
        return group.timers.dropFirst(state.timer.path.item + 1).reduce(0) { $0 + $1.thresholds.start }
    }

    /// The timer that follows at zero; nil where the alarm does.
    public var nextTimer: TimerItem? {
        guard let next = state?.next, let groups = timers?.model.groups, groups.indices.contains(next.group),
            groups[next.group].timers.indices.contains(next.item)
        else { return nil }
        return groups[next.group].timers[next.item]
    }
}

extension ModeName {
    /// Whether the time left passes in this mode.
    public var isRunning: Bool {
        switch self {
        case .countdown, .warning, .final: true
        case .stopped, .alarm, .paused: false
        }
    }
}
