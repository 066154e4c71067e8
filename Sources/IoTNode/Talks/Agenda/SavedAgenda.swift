internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// What of the agenda outlives the process.
struct SavedAgenda: Hashable, Sendable, Codable {
    let revision: Int
    /// The agenda of the configuration at that time. If the configuration has another one now, that one is used.
    let configured: Agenda?
    /// The agenda, where it was edited.
    let edited: Agenda?
    let begun: [BegunMeeting]
    let reminder: Reminder?
}

extension SavedAgenda {
    /// Whether a node can have saved these numbers at an instant. The agendas themselves are checked where they are read.
    func isPossible(at instant: TimerEngine.Instant) -> Bool {
        let dates = begun.flatMap { [$0.begin, $0.end, $0.beganAt] } + [reminder?.end].compactMap(\.self)
        let longest = Duration.seconds(Agenda.reminders.upperBound)
        // A meeting that is no more has the index -1.
        return ClosedRange.counts.contains(revision) && dates.allSatisfy(Timestamp.range.contains)
            && begun.allSatisfy { (-1..<Agenda.maximumMeetings).contains($0.index) }
            && reminder.map {
                (0...Reminder.limit).contains($0.count)
                    && (instant - longest...instant + longest).contains($0.next)
            } ?? true
    }
}

extension JSONWriter {
    /// Writes what `Codable` reads.
    mutating func agenda(_ agenda: SavedAgenda) {
        member("revision", agenda.revision)
        if let configured = agenda.configured { member("configured") { $0.fields(of: configured) } }
        if let edited = agenda.edited { member("edited") { $0.fields(of: edited) } }
        key("begun")
        array(agenda.begun) { writer, meeting in
            writer.object { writer in
                writer.member("name", meeting.name)
                writer.member("begin", meeting.begin.timeIntervalSinceReferenceDate)
                writer.member("end", meeting.end.timeIntervalSinceReferenceDate)
                writer.member("began_at", meeting.beganAt.timeIntervalSinceReferenceDate)
                writer.member("index", meeting.index)
                writer.member("has_ended", meeting.hasEnded)
            }
        }
        if let reminder = agenda.reminder {
            member("reminder") { writer in
                writer.member("meeting", reminder.meeting)
                writer.member("end", reminder.end.timeIntervalSinceReferenceDate)
                writer.memberIfPresent("next", instant: reminder.next)
                writer.member("count", reminder.count)
            }
        }
    }
}
