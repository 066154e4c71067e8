internal import BrokerLink
internal import TimerEngine
internal import TimerProtocol

/// What was published since the connection was made.
struct Published: Sendable {
    var mode: ModeName?
    /// Without what passes, see ``StateMessage/timeless``.
    var state: StateMessage?
    var timers: TimersMessage?
    /// Whether Home Assistant was told of meetings.
    var hasMeetings: Bool?
    /// Runs, message and agenda.
    var talks = PublishedTalks()
}

/// What was published about runs, the message to the speaker, and the agenda.
///
/// A topic of something that there is not is emptied once for each connection, so that nothing stale is retained.
struct PublishedTalks: Sendable {
    /// The version of the runs; nil where nothing was published yet.
    private var runs: Int?
    /// Nil where nothing was published yet.
    private var message: Talk.Shown??
    /// The version of what is told of the agenda. Most of its versions say the same.
    private var agendaVersion: Int?
    /// Nil where nothing was published yet.
    private var agenda: AgendaMessage??
    /// Whether the topics that a follower does not use were emptied.
    private var isCleared = false

    /// What remains when all is published again: the topics that were emptied are empty.
    var emptied: PublishedTalks {
        var emptied = PublishedTalks()
        if case .some(.none) = message { emptied.message = message }
        if case .some(.none) = agenda { emptied.agenda = agenda }
        emptied.isCleared = isCleared
        return emptied
    }

    /// Forgets what was published on a topic, so that it is published again.
    mutating func forget(_ kind: TopicKind) {
        switch kind {
        case .runs: runs = nil
        case .message: message = nil
        case .agenda: (agendaVersion, agenda) = (nil, nil)
        default: break
        }
    }

    /// The dates of the message are others.
    mutating func wallClockSet() {
        if case .some(.some) = message { message = nil }
    }

    /// What is to be retained about what has changed; nil for nothing.
    mutating func changes(of node: ShownNode) -> [(kind: TopicKind, content: PublishedMessage?)] {
        var changes: [(kind: TopicKind, content: PublishedMessage?)] = []
        if node.follower != nil {
            // Timers, runs and agenda are the leader's.
            if !isCleared { changes = [.timers, .runs, .agenda].map { ($0, nil) } }
            isCleared = true
        } else {
            if runs.update(to: node.history.version) { changes.append((.runs, .runs(node.history.message))) }
            if agendaVersion.update(to: node.agenda.version) {
                let told = node.agenda.message(at: node.now.date)
                if agenda.update(to: told) { changes.append((.agenda, told.map { .agenda($0) })) }
            }
        }
        if message.update(to: node.talk.message) {
            changes.append((.message, node.talk.message.map { .message($0.payload(at: node.now)) }))
        }
        return changes
    }
}

/// Whether others were told that lines are missing.
struct LineFaultReport: Sendable {
    private var isFault = false
    private var isFaultReported = false
    /// When the fault began or ended, and where the timer stood then.
    private(set) var since = Instant(sinceEpoch: .zero)
    private(set) var position = EventPosition(timer: TimerPath(group: 0, item: 0), remaining: 0)

    mutating func note(isFault: Bool, at now: Instant, _ position: () -> EventPosition) {
        guard isFault != self.isFault else { return }
        self.isFault = isFault
        since = now
        self.position = position()
    }

    /// Tells whether there is something to report, once.
    mutating func consumeNews() -> Bool {
        defer { isFaultReported = isFault }
        return isFault != isFaultReported
    }
}

extension Optional where Wrapped: Equatable {
    /// Takes this value; returns whether it is another one than before.
    mutating func update(to new: Wrapped) -> Bool {
        if let old = self, old == new { return false }
        self = new
        return true
    }
}
