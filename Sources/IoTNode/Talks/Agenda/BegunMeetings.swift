internal import Calendar
internal import FoundationEssentials
internal import TimerProtocol

/// The meetings that have begun, so that none begins again, whatever happens to the clock, the agenda or the process.
struct BegunMeetings: Hashable, Sendable {
    /// How many are remembered once they are over, with those that are in progress.
    private static let capacity = 256

    /// In the order in which they began; those that are over too.
    private(set) var all: [BegunMeeting]
    /// The agenda that they have their indexes in.
    private var agenda: Agenda?

    init(_ all: [BegunMeeting] = [], of agenda: Agenda? = nil) {
        self.all = all
        self.agenda = agenda
    }

    /// Those that have not ended, and those that began early too.
    func inProgress(at date: Date) -> [BegunMeeting] { all.filter { !$0.hasEnded && date < $0.end } }

    func contains(_ occurrence: AgendaCalendar.Occurrence) -> Bool {
        all.contains { $0.begin == occurrence.begin && $0.index == occurrence.index }
    }

    /// Whether an attended meeting that was to begin then has begun: of those that begin together it counts.
    func hasAttended(begin: Date) -> Bool {
        all.contains { $0.begin == begin && entry(of: $0)?.attend == true }
    }

    /// What the agenda says of a meeting; nil where it was taken away.
    func entry(of meeting: BegunMeeting) -> Agenda.Meeting? {
        guard let meetings = agenda?.meetings, meetings.indices.contains(meeting.index) else { return nil }
        return meetings[meeting.index]
    }

    func reference(to meeting: BegunMeeting) -> MeetingReference {
        entry(of: meeting).map { MeetingReference($0) }
            ?? MeetingReference(name: meeting.name, location: nil, attend: true)
    }
}

// MARK: - What happens

extension BegunMeetings {
    mutating func add(_ meeting: BegunMeeting) {
        all.append(meeting)
        var over = all.count - Self.capacity
        all.removeAll { meeting in
            // One that is in progress would begin again.
            guard over > 0, meeting.hasEnded else { return false }
            over -= 1
            return true
        }
    }

    /// Ends those that are over by a date, and those that were taken away; returns them.
    ///
    /// - Parameter endsAll: whether there is no agenda any more.
    mutating func end(at date: Date, endsAll: Bool) -> [BegunMeeting] {
        var ended: [BegunMeeting] = []
        // A clock that was set back to before a meeting began does not end it.
        for place in all.indices
        where !all[place].hasEnded && (all[place].end <= date || endsAll || entry(of: all[place]) == nil) {
            all[place].hasEnded = true
            ended.append(all[place])
        }
        return ended
    }

    /// Finds them in another agenda: each is the entry that is as it was, or else a new one of its name, at best one that
    /// begins at its time.
    mutating func find(in calendar: AgendaCalendar) {
        guard calendar.agenda != agenda else { return }
        let meetings = calendar.agenda.meetings
        for place in all.indices {
            let (meeting, old) = (all[place], entry(of: all[place]))
            let taken = all[..<place].filter { $0.begin == meeting.begin }.map(\.index)
            let named = meetings.indices.filter { meetings[$0].name == meeting.name && !taken.contains($0) }
            let new = named.filter { agenda?.meetings.contains(meetings[$0]) != true }
            all[place].index =
                named.first { meetings[$0] == old } ?? new.first { calendar.begins($0, at: meeting.begin) }
                ?? new.first ?? -1
        }
        agenda = calendar.agenda
    }
}
