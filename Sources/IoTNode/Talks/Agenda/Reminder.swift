internal import BrokerLink
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

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
