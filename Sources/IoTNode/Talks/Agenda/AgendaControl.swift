internal import BrokerLink
internal import Calendar
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The agenda: which meetings have begun, and what follows from that.
///
/// Meetings begin by the wall clock, which may be set at any time. So what has begun is remembered, and everything else is
/// computed from the calendar and the present moment.
struct AgendaControl: Sendable {
    /// From a boot on, for how long the wall clock may be wrong where nobody vouches for it.
    static let timeToSynchronise: Duration = .seconds(600)
    /// A meeting that begins later than this selects its group, and does not start it.
    static let maximumLateness: TimeInterval = 60

    /// The agenda of the configuration.
    private(set) var configured: Agenda?
    /// The agenda; nil where there is none.
    private(set) var agenda: Agenda?
    /// Grows with each change of the agenda.
    private(set) var revision = 1
    /// Nil until the zones of the agenda are known.
    private(set) var calendar: AgendaCalendar?
    /// The machine's zone and those that were asked for; nil until they were read.
    private(set) var zones: TimeZones?
    /// Whether zones are being read.
    private var isReadingZones = false
    private(set) var begun = BegunMeetings()
    /// Whether somebody vouches for the wall clock.
    var isClockTrusted = false
    var reminder: Reminder?
    /// Grows with each change of what is told of the agenda.
    private(set) var version = 0
    /// When something is to be looked at next, by the wall clock; nil for now.
    private var nextLook: Date?
    /// Whether meetings could begin at the last look.
    private var mayBegin = false
    /// The moment of the last look.
    private var lastLook = Date.distantPast
    private var next: Instant?

    init(_ agenda: Agenda?) {
        configured = agenda
        self.agenda = agenda
    }

    var hasMeetings: Bool { agenda.map { !$0.meetings.isEmpty } ?? false }

    var nextInstant: Instant? { .earliest(next, reminder?.next) }

    /// Whether zones have to be read before another agenda can be used.
    func needsZones(for other: Agenda) -> Bool { zones.map { !$0.asked.isSuperset(of: other.zones) } ?? true }

    /// The zones to read now; nil for none. What is asked for is read before more is.
    mutating func zonesToRead(for other: [Agenda]) -> [String]? {
        let agendas = [agenda].compactMap(\.self) + other
        guard !isReadingZones, !agendas.isEmpty else { return nil }
        let wanted = Set(agendas.flatMap(\.zones))
        guard zones.map({ !$0.asked.isSuperset(of: wanted) }) ?? true else {
            return nil
        }
        isReadingZones = true
        return wanted.sorted()
    }

    /// Whether an agenda can be used.
    ///
    /// - Throws: a refusal that names the zone that the system does not have.
    func check(_ agenda: Agenda) throws(Refusal) {
        let zones = zones ?? TimeZones(machine: .utc, named: [:], asked: [])
        _ = try AgendaCalendar(agenda, machine: zones.machine, zones: zones.named)
    }
}

// MARK: - The agenda itself

extension AgendaControl {
    /// Another configuration has another agenda, which takes the place of the one that there is.
    mutating func reconfigure(_ agenda: Agenda?) {
        guard agenda != configured else { return }
        configured = agenda
        replace(agenda)
    }

    /// Goes on with another agenda, whose zones may have to be read first.
    mutating func replace(_ agenda: Agenda?) {
        self.agenda = agenda
        revision += 1
        version += 1
        use(zones)
    }

    /// The zones were read.
    mutating func use(_ zones: TimeZones?) {
        isReadingZones = false
        self.zones = zones
        calendar = agenda.flatMap { agenda in
            zones.flatMap { try? AgendaCalendar(agenda, machine: $0.machine, zones: $0.named) }
        }
        if let calendar { begun.find(in: calendar) }
        lookAgain()
    }

    /// Something else than time has passed: an agenda, a clock that was set.
    mutating func lookAgain() {
        nextLook = nil
        if agenda != nil { version += 1 }
    }

    mutating func restore(_ saved: SavedAgenda, isSameBoot: Bool) {
        begun = BegunMeetings(saved.begun, of: saved.edited ?? saved.configured)
        revision = saved.revision
        reminder = isSameBoot ? saved.reminder : nil
        if saved.configured == configured { agenda = saved.edited ?? agenda }
    }

    var saved: SavedAgenda? {
        guard agenda != nil || configured != nil || !begun.all.isEmpty else { return nil }
        return SavedAgenda(
            revision: revision, configured: configured, edited: agenda == configured ? nil : agenda, begun: begun.all,
            reminder: reminder)
    }
}

// MARK: - What is due

extension AgendaControl {
    /// What follows from the time.
    enum Action: Hashable, Sendable {
        /// A meeting began, at a date.
        case began(MeetingReference, at: Date)
        /// A meeting ended, at a date.
        case ended(MeetingReference, at: Date)
        /// What the meeting's `begin` says is to be done, where nothing runs.
        case act(Agenda.Meeting.Begin, group: Int)
        /// Nobody has started a meeting that was to be started by hand: the reminder is counted from 1.
        case remind(MeetingReference, count: Int)
    }

    /// What is due now.
    ///
    /// - Parameter isStopped: whether nothing runs.
    mutating func update(at now: Moment, isStopped: Bool) -> [Action] {
        guard let calendar else {
            next = nil
            // Without an agenda nothing is in progress; one that cannot be followed yet has its meetings.
            return agenda == nil ? ends(at: now) : []
        }
        // A wake-up may come a little before the date that it is for, as dates are less exact than instants.
        let now = Moment(instant: now.instant, date: now.date.roundedToMilliseconds)
        var actions: [Action] = []
        let isSetBack = now.date < lastLook
        lastLook = now.date
        if isSetBack || mayBegin(at: now) != mayBegin || nextLook.map({ $0 <= now.date }) ?? true {
            mayBegin = mayBegin(at: now)
            actions += ends(at: now)
            if mayBegin { actions += begins(calendar, at: now, isStopped: isStopped) }
            version += 1
            nextLook = calendar.nextChange(after: now.date)
            if let end = begun.inProgress(at: now.date).map(\.end).min() {
                nextLook = nextLook.map { min($0, end) }
            }
        }
        actions += reminders(at: now, isStopped: isStopped)
        next = wakeUp(at: now)
        return actions
    }

    /// Whether the wall clock can be believed.
    private func mayBegin(at now: Moment) -> Bool {
        isClockTrusted || now.instant.sinceEpoch >= Self.timeToSynchronise
    }

    /// When to look again. The wall clock may run a little faster or slower than the other one, by 500 ppm at most where it
    /// is being corrected; so a look that is far away is taken a little earlier, and then again.
    private func wakeUp(at now: Moment) -> Instant? {
        guard let nextLook else { return now.instant }
        let rest = now.date.distance(to: nextLook)
        let milliseconds = rest > 1 ? rest * 999 : max(1, rest * 1000)
        let due = now.instant + .milliseconds(Int64(milliseconds.rounded()))
        guard !mayBegin(at: now) else { return due }
        return min(due, Instant(sinceEpoch: Self.timeToSynchronise))
    }

    private mutating func ends(at now: Moment) -> [Action] {
        begun.end(at: now.date, endsAll: agenda == nil).map {
            .ended(begun.reference(to: $0), at: min($0.end, now.date))
        }
    }

    private mutating func begins(_ calendar: AgendaCalendar, at now: Moment, isStopped: Bool) -> [Action] {
        var actions: [Action] = []
        for occurrence in calendar.inProgress(at: now.date) {
            let meeting = calendar.agenda.meetings[occurrence.index]
            guard !begun.contains(occurrence) else { continue }
            // Of those that begin together the first attended one counts, or the one that somebody began early.
            let isSlotTaken = begun.hasAttended(begin: occurrence.begin)
            let lateness = occurrence.begin.distance(to: now.date)
            note(occurrence, meeting, at: lateness < 1 ? occurrence.begin : now.date)
            actions.append(
                .began(MeetingReference(meeting), at: lateness < 1 ? occurrence.begin : now.date))
            guard meeting.attend, !isSlotTaken, isStopped, let group = meeting.group, meeting.begin != .none else {
                continue
            }
            let isLate = lateness > Self.maximumLateness
            actions.append(.act(isLate ? .select : meeting.begin, group: group))
            if meeting.begin == .select || isLate { remind(of: meeting, until: occurrence.end, at: now) }
        }
        return actions
    }

    mutating func note(_ occurrence: AgendaCalendar.Occurrence, _ meeting: Agenda.Meeting, at date: Date) {
        begun.add(
            BegunMeeting(
                name: meeting.name, begin: occurrence.begin, end: occurrence.end, beganAt: date,
                index: occurrence.index))
    }
}

extension Date {
    fileprivate var roundedToMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}
