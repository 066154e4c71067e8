internal import TimerProtocol

/// What was published since the connection was made.
struct Published: Sendable {
    var mode: ModeName?
    var state: StateReport?
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

    /// The message is published again, or that there is none.
    mutating func repeatMessage() { message = nil }

    /// The dates of the message are others.
    mutating func wallClockSet() {
        if case .some(.some) = message { message = nil }
    }

    /// The messages about what has changed.
    ///
    /// - Parameter follows: whether the node follows another one, whose timers, runs and agenda these are.
    mutating func update(
        _ talk: Talk, _ history: RunHistory, _ control: AgendaControl, _ topics: Topics,
        follows: Bool, at now: Moment
    ) -> [OutgoingMessage] {
        var messages: [OutgoingMessage] = []
        func retain(_ content: PublishedMessage?, on topic: String) {
            messages.append(
                OutgoingMessage(topic: topic, content.map { .message($0) } ?? .bytes([]), retain: true))
        }
        if follows {
            if !isCleared { for topic in [topics.timers, topics.runs, topics.agenda] { retain(nil, on: topic) } }
            isCleared = true
        } else {
            if runs.changes(to: history.version) { retain(.runs(history.message), on: topics.runs) }
            if agendaVersion.changes(to: control.version) {
                let told = control.message(at: now.date)
                if agenda.changes(to: told) { retain(told.map { .agenda($0) }, on: topics.agenda) }
            }
        }
        if message.changes(to: talk.message) {
            retain(talk.message.map { .message($0.payload(at: now)) }, on: topics.message)
        }
        return messages
    }
}
