internal import BrokerLink
internal import Calendar
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The meetings that have begun. They are remembered so that no meeting begins twice, whatever happens to the clock,
/// the agenda or the process.
struct StartedMeetings: Hashable, Sendable {
    /// How many meetings are remembered, including those in progress. Only meetings that have ended are forgotten.
    private static let capacity = 256

    /// All remembered meetings in the order in which they began, including those that have ended.
    private(set) var all: [StartedMeeting]
    /// The agenda that the indexes of the meetings refer to.
    private var agenda: Agenda?

    init(_ all: [StartedMeeting] = [], of agenda: Agenda? = nil) {
        self.all = all
        self.agenda = agenda
    }

    /// Returns the meetings that have not ended, including those that began early.
    func inProgress(at date: Date) -> [StartedMeeting] { all.filter { !$0.hasEnded && date < $0.end } }

    func contains(_ occurrence: AgendaCalendar.Occurrence) -> Bool {
        all.contains { $0.begin == occurrence.begin && $0.index == occurrence.index }
    }

    /// Returns whether an attended meeting that was scheduled for this date has begun. If several begin together, the
    /// attended one counts.
    func hasAttended(begin: Date) -> Bool {
        all.contains { $0.begin == begin && entry(of: $0)?.attend == true }
    }

    /// Returns a meeting's entry in the agenda; nil if it was removed.
    func entry(of meeting: StartedMeeting) -> Agenda.Meeting? {
        guard let meetings = agenda?.meetings, meetings.indices.contains(meeting.index) else { return nil }
        return meetings[meeting.index]
    }

    func reference(to meeting: StartedMeeting) -> MeetingReference {
        entry(of: meeting).map { MeetingReference($0) }
            ?? MeetingReference(name: meeting.name, location: nil, attend: true)
    }
}

// MARK: - What happens

extension StartedMeetings {
    mutating func add(_ meeting: StartedMeeting) {
        all.append(meeting)
        var over = all.count - Self.capacity
        all.removeAll { meeting in
            // A meeting in progress is kept; otherwise it would begin again.
            guard over > 0, meeting.hasEnded else { return false }
            over -= 1
            return true
        }
    }

    /// Ends the meetings that are over at a date or were removed from the agenda, and returns them.
    ///
    /// - Parameter endsAll: whether all meetings end because there is no longer an agenda.
    mutating func end(at date: Date, endsAll: Bool) -> [StartedMeeting] {
        var ended: [StartedMeeting] = []
        // A meeting does not end if the clock is set back to before its beginning.
        for place in all.indices
        where !all[place].hasEnded && (all[place].end <= date || endsAll || entry(of: all[place]) == nil) {
            all[place].hasEnded = true
            ended.append(all[place])
        }
        return ended
    }

    /// Finds the meetings in another agenda. Each meeting is matched with an unchanged entry, or else with a new entry
    /// of the same name, preferably one that begins at the same time.
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

/// A meeting that has begun.
struct StartedMeeting: Hashable, Sendable {
    var name = ""
    var begin = Date.unread
    var end = Date.unread
    var beganAt = Date.unread
    /// The index in the agenda, because two meetings may have the same name.
    var index = 0
    var hasEnded = false
}

extension MeetingReference {
    init(_ meeting: Agenda.Meeting) {
        self.init(name: meeting.name, location: meeting.location, attend: meeting.attend)
    }
}

extension AgendaControl {
    /// Begins a meeting now. The meeting is selected by its index, counted from 1, or by a unique name.
    mutating func begin(_ selector: String, at now: Moment) throws(Refusal) -> [Action] {
        guard let agenda, let calendar else { throw Refusal(.notFound, "there is no agenda") }
        let index = try agenda.index(selector)
        let meeting = agenda.meetings[index]
        let near = calendar.occurrences(from: now.date, to: now.date.addingTimeInterval(Self.nearness))
            .first { $0.index == index }
        // Even a meeting that is begun outside its scheduled time cannot begin again while it is in progress.
        let isInProgress = near.map(begun.contains) ?? begun.inProgress(at: now.date).contains { $0.index == index }
        let occurrence =
            near
            ?? AgendaCalendar.Occurrence(
                index: index, begin: now.date, end: now.date.addingTimeInterval(TimeInterval(meeting.duration)))
        var actions: [Action] = []
        if !isInProgress {
            note(occurrence, meeting, at: now.date)
            actions.append(.began(MeetingReference(meeting), at: now.date))
        }
        reminder = nil
        recheck()
        guard let group = meeting.group, meeting.begin != .none else { return actions }
        return actions + [.act(meeting.begin, group: group)]
    }

    /// A scheduled meeting at most this many seconds ahead is begun early by the command. If it is further away, the
    /// command begins an extra occurrence.
    private static let nearness: TimeInterval = 12 * 3600

    /// Returns the meeting to publish in the state: the attended one that began last, preferably one whose group is
    /// selected.
    func current(at date: Date, group: Int) -> (begun: StartedMeeting, meeting: Agenda.Meeting)? {
        let attended = begun.inProgress(at: date).compactMap {
            meeting -> (begun: StartedMeeting, meeting: Agenda.Meeting)? in
            guard let entry = begun.entry(of: meeting), entry.attend else { return nil }
            return (meeting, entry)
        }
        return attended.last { $0.meeting.group == group } ?? attended.last
    }

    /// Returns the message for the `agenda` topic; nil if there is no agenda.
    func message(at date: Date) -> AgendaMessage? {
        guard var message = calendar?.message(revision: revision, at: date, hasBegun: begun.contains) else {
            return nil
        }
        // Clients that show the days and times need to know the zone.
        message.agenda.zone = message.agenda.zone ?? zones?.machineName
        // Other meetings may have been begun outside their scheduled times.
        for meeting in begun.inProgress(at: date) where begun.entry(of: meeting) != nil {
            let told = AgendaMessage.Occurrence(
                meeting: meeting.index + 1, name: meeting.name, beginsAt: meeting.begin, endsAt: meeting.end)
            if !message.inProgress.contains(told) { message.inProgress.append(told) }
        }
        return message
    }
}

extension Agenda {
    /// Returns the index, counted from 0, of the meeting that is selected by its index, counted from 1, or a unique
    /// name.
    fileprivate func index(_ selector: String) throws(Refusal) -> Int {
        if let number = WholeNumber.parse(selector), meetings.indices.contains(number - 1) { return number - 1 }
        let named = meetings.indices.filter { meetings[$0].name == selector }
        guard let index = named.first else { throw Refusal(.notFound, "there is no meeting \(selector.quoted)") }
        guard named.count == 1 else {
            throw Refusal(.notFound, "\(named.count) meetings are named \(selector.quoted)")
        }
        return index
    }
}

/// The reminder for a meeting that has not been started.
struct Reminder: Hashable, Sendable {
    /// The maximum number of reminders.
    static let limit = 10
    static let interval: Duration = .seconds(60)

    var meeting = ""
    var end = Date.unread
    var next = Instant()
    var count = 0
}

extension AgendaControl {
    mutating func remind(of meeting: Agenda.Meeting, until end: Date, at now: Moment) {
        guard let agenda, agenda.remindAfter > 0 else { return }
        reminder = Reminder(meeting: meeting.name, end: end, next: now.instant + .seconds(agenda.remindAfter))
    }

    mutating func reminders(at now: Moment, isStopped: Bool) -> [Action] {
        guard var due = reminder else { return [] }
        let meeting = begun.inProgress(at: now.date).first { $0.name == due.meeting && $0.end == due.end }
        guard isStopped, let meeting else {
            reminder = nil
            return []
        }
        guard due.next <= now.instant else { return [] }
        due.count += 1
        // After a stall, one reminder is enough.
        while due.next <= now.instant { due.next = due.next + Reminder.interval }
        reminder = due.count < Reminder.limit ? due : nil
        return [.remind(begun.reference(to: meeting), count: due.count)]
    }
}
