internal import TimerEngine
internal import TimerProtocol

/// What of the agenda outlives the process.
struct SavedAgenda: Hashable, Sendable {
    var revision = 0
    /// If the configuration has another one now, that one is used.
    var configured: Agenda?
    var edited: Agenda?
    var begun: [BegunMeeting] = []
    var reminder: Reminder?
}

extension SavedAgenda: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("revision", &revision, .counts, "How often the agenda was changed.")
        try visitor.field("configured", &configured, .omitted, "The agenda of the configuration at that time.")
        try visitor.field("edited", &edited, .omitted, "The agenda, where it was edited.")
        try visitor.field("begun", &begun, ListBounds(()), "The meetings that have begun.")
        try visitor.field("reminder", &reminder, .omitted, "The reminder of a meeting that nobody has started.")
    }

    /// Whether a node can have saved it at an instant.
    func isPossible(at instant: Instant) -> Bool {
        let longest = Duration.seconds(Agenda.reminders.upperBound)
        return reminder.map { (instant - longest...instant + longest).contains($0.next) } ?? true
    }
}

extension BegunMeeting: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .name, "The meeting's name.")
        try visitor.savedDate("begin", &begin, "When it was to begin.")
        try visitor.savedDate("end", &end, "When it is to end.")
        try visitor.savedDate("began_at", &beganAt, "When it began.")
        try visitor.field(
            "index", &index, -1...Agenda.maximumMeetings - 1,
            "Its place in the agenda, from 0; -1 where it was taken away.")
        try visitor.field("has_ended", &hasEnded, "Whether its end was told.")
    }
}

extension Reminder: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("meeting", &meeting, .name, "The meeting's name.")
        try visitor.savedDate("end", &end, "When it ends.")
        try visitor.field("next", &next, "When the next reminder is due.")
        try visitor.field("count", &count, 0...Self.limit, "How many there were.")
    }
}
