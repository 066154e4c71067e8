package import FoundationEssentials
package import TimerProtocol

/// When the meetings on an agenda begin and end.
///
/// The days of a meeting are counted in the meeting's own zone; times shown to people are in the agenda's zone. Every
/// lookup is fast, however far away the next meeting is: days are found directly instead of being tried one after
/// another.
package struct AgendaCalendar: Hashable, Sendable {
    /// One occurrence of a meeting.
    package struct Occurrence: Hashable, Sendable {
        /// The meeting's index in the agenda, counted from 0.
        package let index: Int
        package let begin: Date
        /// When it ends; always after ``begin``.
        package let end: Date

        package init(index: Int, begin: Date, end: Date) { (self.index, self.begin, self.end) = (index, begin, end) }

        /// Whether the meeting has begun and not ended.
        package func contains(_ date: Date) -> Bool { begin <= date && date < end }
    }

    package let agenda: Agenda
    /// The agenda's own zone.
    private let zone: TimeZoneRules
    private let plans: [MeetingPlan]

    /// Creates the calendar of an agenda.
    ///
    /// - Parameters:
    ///   - machine: The zone of the machine, for an agenda that names no zone.
    ///   - zones: The zones that the agenda names, by name.
    /// - Throws: A refusal that names the first zone missing from `zones`.
    package init(_ agenda: Agenda, machine: TimeZoneRules, zones: [String: TimeZoneRules]) throws(Refusal) {
        var own = machine
        if let name = agenda.zone {
            guard let rules = zones[name] else { throw agenda.unknownZone(ofMeeting: nil) }
            own = rules
        }
        var plans: [MeetingPlan] = []
        for (index, meeting) in agenda.meetings.enumerated() {
            var rules = own
            if let name = meeting.zone {
                guard let found = zones[name] else { throw agenda.unknownZone(ofMeeting: index) }
                rules = found
            }
            plans.append(MeetingPlan(meeting, in: rules))
        }
        self.agenda = agenda
        self.plans = plans
        zone = own
    }
}

// MARK: - Lookups

extension AgendaCalendar {
    /// Returns the occurrences that begin before `to` and end after `from`, sorted by start time and then by index.
    package func occurrences(from: Date, to: Date) -> [Occurrence] {
        let (from, to) = (from.wholeSeconds, to.seconds(.up))
        guard from <= to else { return [] }
        // The longer a meeting lasts, the earlier it may have begun.
        return occurrences { $0.begins(from: from - $0.duration + 1, through: to - 1) }
    }

    /// Returns the occurrences in progress at a date, sorted by start time and then by index.
    package func inProgress(at date: Date) -> [Occurrence] {
        let now = date.wholeSeconds
        return occurrences { $0.begins(from: now - $0.duration + 1, through: now) }
    }

    /// Returns whether a meeting begins at a date.
    ///
    /// - Parameter index: The meeting's index in the agenda, counted from 0.
    package func begins(_ index: Int, at date: Date) -> Bool {
        !plans[index].begins(from: date.wholeSeconds, through: date.wholeSeconds).isEmpty
    }

    /// Returns the first occurrence that begins after a date, or nil if there is none. If several begin at once, it is
    /// the one with the lowest index.
    ///
    /// - Parameter hasBegun: whether an occurrence has begun already, and so is skipped.
    package func next(after date: Date, hasBegun: (Occurrence) -> Bool = { _ in false }) -> Occurrence? {
        var next: Occurrence?
        for (index, plan) in plans.enumerated() {
            var now = date.wholeSeconds
            while let begin = plan.begin(after: now), begin < next?.begin.wholeSeconds ?? .max {
                let occurrence = occurrence(index, begin: begin)
                guard hasBegun(occurrence) else {
                    next = occurrence
                    break
                }
                now = begin
            }
        }
        return next
    }

    /// Returns the first instant after a date at which a day starts, in the agenda's zone.
    package func nextMidnight(after date: Date) -> Date { zone.startOfDay(after: date) }

    /// Returns the first instant after a date at which the published state of the agenda changes: a meeting begins or
    /// ends, or a day begins.
    package func nextChange(after date: Date) -> Date {
        let now = date.wholeSeconds
        let instants = plans.flatMap { [$0.begin(after: now), $0.end(after: now)].compactMap(\.self) }
        return Date(wholeSeconds: instants.reduce(zone.startOfDay(after: now), min))
    }

    /// Returns when meetings begin on the day of a date and on the six days after it, in the agenda's zone.
    package func slots(on date: Date) -> [AgendaMessage.Slot] {
        let today = zone.local(of: date.wholeSeconds).day
        let (begin, end) = (zone.instant(ofLocal: today * 86_400), zone.instant(ofLocal: (today + 7) * 86_400))
        var slots: [AgendaMessage.Slot] = []
        var minute = Int.min
        for occurrence in occurrences({ $0.begins(from: begin, through: end - 1) }) {
            let begin = occurrence.begin.wholeSeconds / 60
            if begin == minute {
                slots[slots.count - 1].meetings.append(occurrence.index + 1)
            } else {
                minute = begin
                slots.append(.init(begin: localTime(of: occurrence.begin), meetings: [occurrence.index + 1]))
            }
        }
        return slots
    }

    /// Returns the day and the time of day of a date, to the minute, in the agenda's zone.
    package func localTime(of date: Date) -> AgendaMessage.LocalTime {
        let local = zone.local(of: date)
        return .init(day: local.day, at: TimeOfDay(secondOfDay: local.secondOfDay))
    }

    /// Returns the message that is published about the agenda at a date.
    ///
    /// - Parameter hasBegun: whether an occurrence has begun already, perhaps early.
    package func message(
        revision: Int, at date: Date, hasBegun: (Occurrence) -> Bool = { _ in false }
    ) -> AgendaMessage {
        let next = next(after: date, hasBegun: hasBegun).map { next in
            var published = published(next)
            published.begin = localTime(of: next.begin)
            return published
        }
        return AgendaMessage(
            revision: revision, agenda: agenda, inProgress: inProgress(at: date).map(published), next: next,
            slots: slots(on: date))
    }

    private func published(_ occurrence: Occurrence) -> AgendaMessage.Occurrence {
        .init(
            meeting: occurrence.index + 1, name: agenda.meetings[occurrence.index].name, beginsAt: occurrence.begin,
            endsAt: occurrence.end)
    }

    /// Returns the occurrences that begin at the instants that `begins` returns for each meeting, in order.
    private func occurrences(_ begins: (MeetingPlan) -> [Int]) -> [Occurrence] {
        var found: [(begin: Int, index: Int)] = []
        for (index, plan) in plans.enumerated() {
            for begin in begins(plan) { found.append((begin, index)) }
        }
        return found.sorted { $0 < $1 }.map { occurrence($0.index, begin: $0.begin) }
    }

    private func occurrence(_ index: Int, begin: Int) -> Occurrence {
        Occurrence(
            index: index, begin: Date(wholeSeconds: begin), end: Date(wholeSeconds: begin + plans[index].duration))
    }
}
