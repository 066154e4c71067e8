public import FoundationEssentials
public import TimerEngine
public import TimerProtocol

/// The known state of a node: the newest message of each kind that it published.
public struct NodeMirror: Hashable, Sendable {
    /// The node's id.
    public let id: String
    private var newest: [TopicKind: PublishedMessage] = [:]

    /// Whether the node has published something live since the client connected, and has left no command unanswered
    /// since. A message that the broker stored does not show that the node is present.
    public private(set) var isHeard: Bool {
        get { !time.isSilent }
        set { time.isSilent = !newValue }
    }

    /// When the message to the speaker arrived, if it requests attention and had just been sent; nil otherwise.
    public private(set) var attentionSince: TimerEngine.Instant?

    private var age = StateAge()
    /// When the message that the node is offline arrived, or the zero of the clock if that message was retained; nil
    /// while the node is online.
    private var offlineSince: Instant?

    /// The known offset of the node's boot clock.
    var time: NodeTime

    /// Whether the node has ever responded to a request for the time. A forged node cannot respond.
    var hasAnswered = false

    init(id: String, time: NodeTime = NodeTime(ownBoot: nil, requests: nil)) {
        self.id = id
        self.time = time
        isHeard = false
    }
    /// When the node created its state, on our monotonic clock.
    var stateMadeAt: Instant { exactlyMadeAt ?? age.madeAt }

    /// Whether ``stateMadeAt`` depends on wall clocks.
    var isStateEstimated: Bool { exactlyMadeAt == nil && age.isEstimate }

    /// When the node created its state, by its boot clock; nil while unknown.
    private var exactlyMadeAt: Instant? {
        guard let state, let offset = time.offset else { return nil }
        return Instant(sinceEpoch: state.clock.now.now - offset)
    }

    /// The time since the state was created.
    private func stateAge(at now: Instant) -> Duration {
        max(.zero, stateMadeAt.duration(to: now))
    }

    /// Converts an instant of the node's boot clock, such as those in the state, to our clock; nil until the state is
    /// known.
    func instant(_ onNodesClock: Duration) -> Instant? {
        state.map { stateMadeAt + (onNodesClock - $0.clock.now.now) }
    }

    /// When the node was disconnected; nil while it is connected or if unknown.
    public var disconnectedSince: TimerEngine.Instant? {
        offlineSince.flatMap { $0.sinceEpoch == .zero ? nil : $0 }
    }

    /// Whether no information about the node is left.
    var isEmpty: Bool { newest.isEmpty }

    /// Records that the node published something live; returns whether this changed anything.
    mutating func heard() -> Bool {
        defer { isHeard = true }
        return !isHeard
    }

    /// Records that the node may be gone; returns whether this changed anything.
    mutating func lost() -> Bool {
        defer { isHeard = false }
        return isHeard
    }

    mutating func receive(_ message: PublishedMessage, retained: Bool, at now: NodeClient.Moment) {
        if !retained { isHeard = true }
        switch message {
        case .availability(let availability):
            // A retained message does not show when the node went offline.
            let since = retained ? Instant(sinceEpoch: .zero) : now.instant
            if availability != self.availability {
                offlineSince = availability == .offline ? since : nil
                if availability == .online { time.connected(at: now.instant) }
            }
        case .tick(let tick):
            if let state, state.mode.isRunning { age.tick(tick.remaining, state, at: now.instant) }
        case .state(let new):
            if time.refuses(new, after: state, at: now.instant) { return }
            // After a reconnection the broker sends messages again that are already known.
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

    /// Records a response. Returns nil if it does not answer one of our requests for the time, otherwise whether there
    /// is new information about the state.
    mutating func receive(_ response: Response, at now: NodeClient.Moment) -> Bool? {
        guard let isOther = time.receive(response, at: now.instant) else { return nil }
        hasAnswered = true
        // When the state was published does not matter: the node's clock shows when it was created.
        if isOther, let state = time.stateInPlace(of: state, at: now.instant) {
            receive(.state(state), retained: true, at: now)
        }
        return isOther
    }

    /// Discards a message that was cleared; returns whether there was one.
    mutating func clear(_ kind: TopicKind) -> Bool {
        if kind == .message { attentionSince = nil }
        return newest.removeValue(forKey: kind) != nil
    }
}

// MARK: - What it said last

extension NodeMirror {
    /// Whether the node is connected to the broker; nil until this is known.
    public var availability: Availability? {
        if case .availability(let word) = newest[.availability] { word } else { nil }
    }
    /// Whether the node is connected to the broker.
    public var isOnline: Bool { availability == .online }
    /// The mode of the timer; nil until it is known.
    public var mode: ModeName? { if case .mode(let mode) = newest[.mode] { mode } else { nil } }
    /// The state of the node when it published the message; ``remaining(at:)`` continues counting from there.
    public var state: StateMessage? { if case .state(let state) = newest[.state] { state } else { nil } }
    /// The groups, timers and settings.
    public var timers: TimersMessage? { if case .timers(let timers) = newest[.timers] { timers } else { nil } }
    /// The health of the node.
    public var health: HealthMessage? { if case .health(let health) = newest[.health] { health } else { nil } }
    /// The newest runs of the report.
    public var runs: RunsMessage? { if case .runs(let runs) = newest[.runs] { runs } else { nil } }
    /// The message to the speaker, or nil if there is none.
    public var message: ShownMessage? { if case .message(let message) = newest[.message] { message } else { nil } }
    /// The meetings; nil if there is no agenda.
    public var agenda: AgendaMessage? { if case .agenda(let agenda) = newest[.agenda] { agenda } else { nil } }
    /// The running order, or nil if there is none.
    public var programme: ProgrammeMessage? {
        if case .programme(let programme) = newest[.programme] { programme } else { nil }
    }
}

// MARK: - Counting

extension NodeMirror {
    /// The time left at an instant, 0 or more; nil until the node's state is known.
    ///
    /// It continues to count while the node is not connected, since the node's timer does the same.
    public func remaining(at now: TimerEngine.Instant) -> Duration? {
        guard let state else { return nil }
        guard state.mode.isRunning else { return max(.zero, state.preciseRemaining) }
        return max(.zero, state.preciseRemaining - stateAge(at: now))
    }

    /// The whole seconds left, as a display shows them; nil until the node's state is known.
    public func shownSeconds(at now: TimerEngine.Instant) -> Int? { remaining(at: now)?.shownSeconds }

    /// The time since the alarm began; nil outside the alarm. It does not advance while the node is not connected.
    public func overtime(at now: TimerEngine.Instant) -> Duration? {
        guard let state, let overtime = state.overtime else { return nil }
        return overtime + stateAge(at: offlineSince.map { min($0, now) } ?? now)
    }

    /// How long the current run has taken, as the node computes it: excluding pauses and including overtime; nil if
    /// there is no run or the node does not publish it.
    ///
    /// After a disconnection during the alarm it does not advance, like ``overtime(at:)``.
    public func used(at now: TimerEngine.Instant) -> Duration? {
        guard let state, let run = state.run else { return nil }
        if state.mode.isRunning { return run.used + stateAge(at: now) }
        guard let before = state.overtime, let overtime = overtime(at: now), state.mode == .alarm else {
            return run.used
        }
        return run.used + (overtime - before)
    }

    /// The meaning of each mode on the node; the usual signals if the node does not publish its own.
    public var signals: ModeSignals { health?.signals ?? .podium }

    /// The fraction of the run that has passed, 0…1; nil until the node's state is known.
    public func progress(at now: TimerEngine.Instant) -> Double? {
        guard let state, let remaining = remaining(at: now) else { return nil }
        let progress = state.start > 0 ? 1 - remaining / .seconds(state.start) : state.progress
        return min(max(0, progress), 1)
    }

    /// Returns when the next whole second of the time left or of the overtime begins; nil while nothing counts.
    public func nextSecond(after now: TimerEngine.Instant) -> TimerEngine.Instant? {
        if isOnline, let overtime = overtime(at: now) {
            return now + (.seconds(overtime.wholeSeconds + 1) - overtime)
        }
        guard let state, state.mode.isRunning, let remaining = remaining(at: now), remaining > .zero else { return nil }
        return now + (remaining - .seconds(remaining.shownSeconds - 1))
    }

    /// Returns when the run is expected to end, including the timers that follow it in its sequence; nil unless the
    /// timer runs.
    public func expectedEnd(at now: NodeClient.Moment) -> Date? {
        guard let state, state.mode.isRunning, let remaining = remaining(at: now.instant) else { return nil }
        return now.date.addingTimeInterval((remaining + .seconds(secondsToFollow)).inSeconds)
    }

    /// The seconds of the timers that follow the current one automatically.
    private var secondsToFollow: Int {
        guard let state, state.next != nil, let groups = timers?.model.groups,
            groups.indices.contains(state.timer.path.group)
        else { return 0 }
        let group = groups[state.timer.path.group]
        return group.timers.dropFirst(state.timer.path.item + 1).reduce(0) { $0 + $1.thresholds.start }
    }

    /// The timer that follows at zero; nil if the alarm follows.
    public var nextTimer: TimerItem? {
        guard let next = state?.next, let groups = timers?.model.groups, groups.indices.contains(next.group),
            groups[next.group].timers.indices.contains(next.item)
        else { return nil }
        return groups[next.group].timers[next.item]
    }
}
