internal import BrokerLink
internal import Calendar
internal import FoundationEssentials
internal import TimerEngine
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

/// A meeting that has begun once.
struct BegunMeeting: Hashable, Sendable {
    var name = ""
    var begin = Date.unread
    var end = Date.unread
    var beganAt = Date.unread
    /// Two meetings may have one name.
    var index = 0
    var hasEnded = false
}

extension MeetingReference {
    init(_ meeting: Agenda.Meeting) {
        self.init(name: meeting.name, location: meeting.location, attend: meeting.attend)
    }
}

extension AgendaControl {
    /// Begins a meeting now, by its index from 1 or its unique name.
    mutating func begin(_ selector: String, at now: Moment) throws(Refusal) -> [Action] {
        guard let agenda, let calendar else { throw Refusal(.notFound, "there is no agenda") }
        let index = try agenda.index(selector)
        let meeting = agenda.meetings[index]
        let near = calendar.occurrences(from: now.date, to: now.date.addingTimeInterval(Self.nearness))
            .first { $0.index == index }
        // One that is begun at another time than its own begins once, too, while it is in progress.
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
        lookAgain()
        guard let group = meeting.group, meeting.begin != .none else { return actions }
        return actions + [.act(meeting.begin, group: group)]
    }

    /// A meeting that begins this soon is the one that somebody begins early; what is further away is another time.
    private static let nearness: TimeInterval = 12 * 3600

    /// The meeting for the state: the one that is attended and began last, if possible one whose group is selected.
    func current(at date: Date, group: Int) -> (begun: BegunMeeting, meeting: Agenda.Meeting)? {
        let attended = begun.inProgress(at: date).compactMap {
            meeting -> (begun: BegunMeeting, meeting: Agenda.Meeting)? in
            guard let entry = begun.entry(of: meeting), entry.attend else { return nil }
            return (meeting, entry)
        }
        return attended.last { $0.meeting.group == group } ?? attended.last
    }

    /// What the topic `agenda` says; nil where there is none.
    func message(at date: Date) -> AgendaMessage? {
        guard var message = calendar?.message(revision: revision, at: date) else { return nil }
        // Whoever shows the days and times has to know the zone.
        message.agenda.zone = message.agenda.zone ?? zones?.machineName
        // Somebody may have begun others, whose time it is not.
        for meeting in begun.inProgress(at: date) where begun.entry(of: meeting) != nil {
            let told = AgendaMessage.Occurrence(
                meeting: meeting.index + 1, name: meeting.name, beginsAt: meeting.begin, endsAt: meeting.end)
            if !message.inProgress.contains(told) { message.inProgress.append(told) }
        }
        return message
    }
}

extension Agenda {
    /// The place of a meeting that is named by its index from 1 or by a name that only one has, counted from 0.
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

/// When somebody is reminded of a meeting that nobody starts.
struct Reminder: Hashable, Sendable {
    /// How often at most.
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
        // After a stall one is enough.
        while due.next <= now.instant { due.next = due.next + Reminder.interval }
        reminder = due.count < Reminder.limit ? due : nil
        return [.remind(begun.reference(to: meeting), count: due.count)]
    }
}
