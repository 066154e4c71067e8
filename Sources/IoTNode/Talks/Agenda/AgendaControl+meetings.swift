internal import BrokerLink
internal import Calendar
internal import FoundationEssentials
internal import TimerProtocol

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
