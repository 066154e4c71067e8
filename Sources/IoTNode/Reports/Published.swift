internal import BrokerLink
internal import TimerEngine
internal import TimerProtocol

/// The values that have been published on this connection.
struct Published: Sendable {
    var mode: ModeName?
    /// The state without the values that change with time, see ``StateMessage/withoutTick``.
    var state: StateMessage?
    var timers: TimersMessage?
    /// The optional parts in the announcement to Home Assistant.
    var parts: OptionalParts?
    /// Runs, message and agenda.
    var talks = PublishedTalks()
}

/// The published values of runs, the message to the speaker, and the agenda.
///
/// A topic without content is emptied once per connection, so no stale content is retained.
struct PublishedTalks: Sendable {
    /// The version of the runs; nil if nothing has been published yet.
    var runs: Int?
    /// The message to the speaker; nil if nothing has been published yet.
    var message: Talk.Shown??
    /// The version of the agenda. Consecutive versions often have the same published content.
    private var agendaVersion: Int?
    /// The agenda's message; nil if nothing has been published yet.
    private var agenda: AgendaMessage??
    /// The values that the running order's message follows from; nil if nothing has been published yet.
    private var programme: ProgrammeControl.Key??
    /// Whether the topics that a follower does not use have been emptied.
    private var isCleared = false

    /// The record to keep when everything is published again: topics that were emptied are still empty.
    var emptied: PublishedTalks {
        var emptied = PublishedTalks()
        if case .some(.none) = message { emptied.message = message }
        if case .some(.none) = agenda { emptied.agenda = agenda }
        if case .some(.none) = programme { emptied.programme = programme }
        emptied.isCleared = isCleared
        return emptied
    }

    /// Schedules the agenda to be published again.
    mutating func forgetAgenda() { (agendaVersion, agenda) = (nil, nil) }

    /// Schedules the running order to be published again.
    mutating func forgetProgramme() { programme = nil }

    /// Schedules the message to be published again, because its dates have changed.
    mutating func wallClockSet() {
        if case .some(.some) = message { message = nil }
        if case .some(.some) = programme { programme = nil }
    }

    /// Returns the topics to publish because their content has changed; nil content empties the topic.
    mutating func changes(of node: ShownNode) -> [(kind: TopicKind, content: PublishedMessage?)] {
        var changes: [(kind: TopicKind, content: PublishedMessage?)] = []
        if node.follower != nil {
            // Timers, runs and agenda are the leader's.
            if !isCleared { changes = [.timers, .runs, .agenda, .programme].map { ($0, nil) } }
            isCleared = true
        } else {
            if runs.update(to: node.history.version) { changes.append((.runs, .runs(node.history.message))) }
            if agendaVersion.update(to: node.agenda.version) {
                let told = node.agenda.message(at: node.now.date)
                if agenda.update(to: told) { changes.append((.agenda, told.map { .agenda($0) })) }
            }
            if programme.update(to: node.programme.key(node.timer, node.agenda.ownZone, at: node.now.instant)) {
                let told = node.programme.message(node.timer, node.agenda.ownZone, at: node.now)
                changes.append((.programme, told.map { .programme($0) }))
            }
        }
        if message.update(to: node.talk.message) {
            changes.append((.message, node.talk.message.map { .message($0.payload(at: node.now)) }))
        }
        return changes
    }
}

/// Keeps track of whether a line fault was reported.
struct LineFaultReport: Sendable {
    private var isFault = false
    private var isFaultReported = false
    /// When the fault began or ended, and the timer's position at that time.
    private(set) var since = Instant(sinceEpoch: .zero)
    private(set) var position = EventPosition(timer: TimerPath(group: 0, item: 0), remaining: 0)

    mutating func note(isFault: Bool, at now: Instant, _ position: () -> EventPosition) {
        guard isFault != self.isFault else { return }
        self.isFault = isFault
        since = now
        self.position = position()
    }

    /// Returns whether there is a change to report; true only once per change.
    mutating func consumeNews() -> Bool {
        defer { isFaultReported = isFault }
        return isFault != isFaultReported
    }
}

extension Optional where Wrapped: Equatable {
    /// Sets a new value; returns whether it differs from the old one.
    mutating func update(to new: Wrapped) -> Bool {
        if let old = self, old == new { return false }
        self = new
        return true
    }
}
