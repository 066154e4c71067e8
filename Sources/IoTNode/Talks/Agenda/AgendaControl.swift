internal import BrokerLink
internal import Calendar
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The agenda: keeps track of the meetings that have begun, and decides what is due.
///
/// Meetings begin by the wall clock, which may be adjusted at any time. So the meetings that have begun are remembered,
/// and everything else is computed from the calendar and the current moment.
struct AgendaControl: Sendable {
    /// How long after a boot the wall clock may still be wrong if it is not known to be correct.
    static let timeToSynchronise: Duration = .seconds(600)
    /// A meeting that begins more than this many seconds late selects its group but does not start it.
    static let maximumLateness: TimeInterval = 60

    /// The agenda in the configuration.
    private(set) var configured: Agenda?
    /// The agenda, or nil if there is none.
    private(set) var agenda: Agenda?
    /// Increases with each change to the agenda.
    private(set) var revision = 1
    /// The calendar of the agenda; nil until its zones are known.
    private(set) var calendar: AgendaCalendar?
    /// The machine's zone and the requested ones; nil until they have been read.
    private(set) var zones: TimeZones?
    /// Whether zones are being read.
    private var isReadingZones = false
    private(set) var begun = StartedMeetings()
    /// The attended meeting that is about to begin, for displays that count down to it.
    private(set) var lead: (name: String, at: Date, since: Date)?
    /// Whether the wall clock is known to be correct.
    var isClockTrusted = false
    var reminder: Reminder?
    /// Increases whenever the published agenda may have changed.
    private(set) var version = 0
    /// When the calendar must be checked next, by the wall clock; nil for now.
    private var nextCheck: Date?
    /// Whether meetings were allowed to begin at the last check.
    private var mayBegin = false
    /// The date of the last check.
    private var lastCheck = Date.distantPast
    private var next: Instant?

    init(_ agenda: Agenda?) {
        configured = agenda
        self.agenda = agenda
    }

    /// The zone of the agenda, or else of the machine; nil until it is known.
    var ownZone: TimeZoneRules? { zones.flatMap { zones in agenda?.zone.map { zones.named[$0] } ?? zones.machine } }

    var hasMeetings: Bool { agenda.map { !$0.meetings.isEmpty } ?? false }

    var nextInstant: Instant? { .earliest(next, reminder?.next) }

    /// Whether zones must be read before another agenda can be used.
    func needsZones(for other: Agenda) -> Bool { zones.map { !$0.asked.isSuperset(of: other.zones) } ?? true }

    /// Returns the zones to read now; nil for none. A request is completed before the next one is sent.
    ///
    /// - Parameter needsOwn: whether times of day need the agenda's zone, or the machine's without an agenda.
    mutating func zonesToRead(for other: [Agenda], needsOwn: Bool) -> [String]? {
        let agendas = [agenda].compactMap(\.self) + other
        guard !isReadingZones, needsOwn || !agendas.isEmpty else { return nil }
        let wanted = Set(agendas.flatMap(\.zones))
        guard zones.map({ !$0.asked.isSuperset(of: wanted) }) ?? true else {
            return nil
        }
        isReadingZones = true
        return wanted.sorted()
    }

    /// Checks that an agenda can be used.
    ///
    /// - Throws: a refusal that names a zone that the system does not have.
    func check(_ agenda: Agenda) throws(Refusal) {
        let zones = zones ?? TimeZones(machine: .utc, named: [:], asked: [])
        _ = try AgendaCalendar(agenda, machine: zones.machine, zones: zones.named)
    }
}

// MARK: - The agenda itself

extension AgendaControl {
    /// Replaces the agenda with the one in a new configuration, if the configuration's agenda has changed.
    mutating func reconfigure(_ agenda: Agenda?) {
        guard agenda != configured else { return }
        configured = agenda
        replace(agenda)
    }

    /// Replaces the agenda. The new agenda's zones may have to be read first.
    mutating func replace(_ agenda: Agenda?) {
        self.agenda = agenda
        revision += 1
        version += 1
        use(zones)
    }

    /// Uses zones that have been read.
    mutating func use(_ zones: TimeZones?) {
        isReadingZones = false
        self.zones = zones
        calendar = agenda.flatMap { agenda in
            zones.flatMap { try? AgendaCalendar(agenda, machine: $0.machine, zones: $0.named) }
        }
        if let calendar { begun.find(in: calendar) }
        recheck()
    }

    /// Schedules a check of the calendar because something other than time changed: the agenda, or a clock adjustment.
    mutating func recheck() {
        nextCheck = nil
        if agenda != nil { version += 1 }
    }

    mutating func restore(_ saved: SavedAgenda, isSameBoot: Bool) {
        begun = StartedMeetings(saved.begun, of: saved.edited ?? saved.configured)
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
    /// An action that is due.
    enum Action: Hashable, Sendable {
        /// A meeting began, at a date.
        case began(MeetingReference, at: Date)
        /// A meeting ended, at a date.
        case ended(MeetingReference, at: Date)
        /// The meeting's `begin` action must be performed. Occurs only while no timer is running.
        case act(Agenda.Meeting.Begin, group: Int)
        /// A meeting that must be started by hand has not been started; reminders are counted from 1.
        case remind(MeetingReference, count: Int)
    }

    /// Returns the actions that are due now.
    ///
    /// - Parameter isStopped: whether no timer is running.
    mutating func update(at now: Moment, isStopped: Bool) -> [Action] {
        guard let calendar else {
            (next, lead) = (nil, nil)
            // Without an agenda, no meeting is in progress. If the zones of an agenda are unknown, its meetings
            // continue.
            return agenda == nil ? ends(at: now) : []
        }
        // A wake-up may occur slightly before its date, because dates are less precise than instants.
        let now = Moment(instant: now.instant, date: now.date.roundedToMilliseconds)
        var actions: [Action] = []
        let isSetBack = now.date < lastCheck
        lastCheck = now.date
        if isSetBack || mayBegin(at: now) != mayBegin || nextCheck.map({ $0 <= now.date }) ?? true {
            mayBegin = mayBegin(at: now)
            actions += ends(at: now)
            if mayBegin { actions += begins(calendar, at: now, isStopped: isStopped) }
            version += 1
            nextCheck = calendar.nextChange(after: now.date)
            if let end = begun.inProgress(at: now.date).map(\.end).min() {
                nextCheck = nextCheck.map { min($0, end) }
            }
            updateLead(calendar, at: now.date)
        }
        actions += reminders(at: now, isStopped: isStopped)
        next = wakeUp(at: now)
        return actions
    }

    /// Whether the wall clock may be wrong.
    func mayBeWrong(at now: Moment) -> Bool { !mayBegin(at: now) }

    /// Whether the wall clock can be trusted.
    private func mayBegin(at now: Moment) -> Bool {
        isClockTrusted || now.instant.sinceEpoch >= Self.timeToSynchronise
    }

    /// Returns when to check again. While the wall clock is being corrected, it may run up to 500 ppm faster or slower
    /// than the boot clock. So a distant check is made slightly early and then repeated.
    private func wakeUp(at now: Moment) -> Instant? {
        guard let nextCheck else { return now.instant }
        let rest = now.date.distance(to: nextCheck)
        let milliseconds = rest > 1 ? rest * 999 : max(1, rest * 1000)
        let due = now.instant + .milliseconds(Int64(milliseconds.rounded()))
        guard !mayBegin(at: now) else { return due }
        return min(due, Instant(sinceEpoch: Self.timeToSynchronise))
    }

    /// Finds the meeting that is about to begin, and schedules the check at which the next one will be.
    private mutating func updateLead(_ calendar: AgendaCalendar, at date: Date) {
        lead = nil
        guard calendar.agenda.meetings.contains(where: { $0.lead != nil && $0.attend }) else { return }
        // The next check finds what is further away.
        let end = (nextCheck ?? date).addingTimeInterval(TimeInterval(Agenda.Meeting.leads.upperBound))
        for occurrence in calendar.occurrences(from: date, to: end) {
            let meeting = calendar.agenda.meetings[occurrence.index]
            guard let seconds = meeting.lead, meeting.attend, occurrence.begin > date, !begun.contains(occurrence)
            else {
                continue
            }
            let since = occurrence.begin.addingTimeInterval(-TimeInterval(seconds))
            if since > date {
                nextCheck = nextCheck.map { min($0, since) }
            } else if lead == nil, mayBegin {
                lead = (meeting.name, occurrence.begin, since)
            }
        }
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
            // If several meetings begin together, the first attended one counts, or the one that was begun early.
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
            StartedMeeting(
                name: meeting.name, begin: occurrence.begin, end: occurrence.end, beganAt: date,
                index: occurrence.index))
    }
}

extension Date {
    fileprivate var roundedToMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}
