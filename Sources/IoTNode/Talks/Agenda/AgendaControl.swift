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
    /// How many begun meetings are remembered, so that setting the clock back begins none again.
    private static let maximumBegun = 256

    /// The agenda of the configuration.
    private(set) var configured: Agenda?
    /// The agenda; nil where there is none.
    private(set) var agenda: Agenda?
    /// Grows with each change of the agenda.
    private(set) var revision = 1
    /// Nil until the zones of the agenda are known.
    private(set) var calendar: AgendaCalendar?
    /// The machine's zone and those that were asked for; nil until they were read.
    private var zones: TimeZones?
    /// Whether zones are being read.
    private var isReadingZones = false
    /// The meetings that have begun, in that order; those that are over too.
    private(set) var begun: [BegunMeeting] = []
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
    private var next: TimerEngine.Instant?

    init(_ agenda: Agenda?) {
        configured = agenda
        self.agenda = agenda
    }

    var hasMeetings: Bool { agenda.map { !$0.meetings.isEmpty } ?? false }

    var nextInstant: TimerEngine.Instant? { .earliest(next, reminder?.next) }

    /// Whether zones have to be read before another agenda can be used.
    func needsZones(for other: Agenda) -> Bool { zones.map { !$0.asked.isSuperset(of: other.zones) } ?? true }

    /// The zones to read now; nil for none. What is asked for is read before more is.
    mutating func zonesToRead(for other: [Agenda]) -> [String]? {
        let agendas = [agenda].compactMap(\.self) + other
        let wanted = Set(agendas.flatMap(\.zones))
        guard !isReadingZones, !agendas.isEmpty, zones.map({ !$0.asked.isSuperset(of: wanted) }) ?? true else {
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

/// A meeting that has begun once.
struct BegunMeeting: Hashable, Sendable, Codable {
    let name: String
    /// When it was to begin.
    let begin: Date
    /// When it is to end.
    let end: Date
    /// When it began.
    let beganAt: Date
    /// Its place in the agenda, counted from 0.
    var index: Int
    /// Whether its end was told.
    var hasEnded = false

    enum CodingKeys: String, CodingKey {
        case name, begin, end, index
        case beganAt = "began_at"
        case hasEnded = "has_ended"
    }

    func isSame(as occurrence: AgendaCalendar.Occurrence, named name: String) -> Bool {
        begin == occurrence.begin && self.name == name
    }
}

/// The zones that an agenda may have.
package struct TimeZones: Hashable, Sendable {
    /// The machine's own.
    package let machine: TimeZoneRules
    /// Those that were asked for and that there are, by their names.
    package let named: [String: TimeZoneRules]
    /// Those that were asked for, whether there are such zones or not.
    package let asked: Set<String>
    /// The machine's zone has this name; nil where it has none.
    package let machineName: String?
    /// What could not be read, and why, a line each.
    package let faults: [String]

    package init(
        machine: TimeZoneRules, machineName: String? = nil, named: [String: TimeZoneRules], asked: Set<String>,
        faults: [String] = []
    ) {
        self.machine = machine
        self.machineName = machineName
        self.named = named
        self.asked = asked
        self.faults = faults
    }
}

/// When somebody is reminded of a meeting that nobody starts.
struct Reminder: Hashable, Sendable, Codable {
    /// How often at most.
    static let limit = 10
    static let interval: Duration = .seconds(60)

    /// The meeting's name.
    let meeting: String
    /// When it ends.
    let end: Date
    /// When the next one is due.
    var next: TimerEngine.Instant
    /// How many there were.
    var count = 0
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
        if let agenda {
            for place in begun.indices {
                // A meeting may have another place now.
                let name = begun[place].name
                begun[place].index = agenda.meetings.firstIndex { $0.name == name } ?? -1
            }
        }
        lookAgain()
    }

    /// Something else than time has passed: an agenda, a clock that was set.
    mutating func lookAgain() {
        nextLook = nil
        if agenda != nil { version += 1 }
    }

    mutating func restore(_ saved: SavedAgenda, isSameBoot: Bool) {
        begun = saved.begun
        revision = saved.revision
        reminder = isSameBoot ? saved.reminder : nil
        if saved.configured == configured { agenda = saved.edited ?? agenda }
    }

    var saved: SavedAgenda? {
        guard agenda != nil || configured != nil || !begun.isEmpty else { return nil }
        return SavedAgenda(
            revision: revision, configured: configured, edited: agenda == configured ? nil : agenda, begun: begun,
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
            return []
        }
        // A wake-up may come a little before the date that it is for, as dates are less exact than instants.
        let now = Moment(instant: now.instant, date: now.date.roundedToMilliseconds)
        var actions: [Action] = []
        let isSetBack = now.date < lastLook
        lastLook = now.date
        if isSetBack || mayBegin(at: now) != mayBegin || nextLook.map({ $0 <= now.date }) ?? true {
            mayBegin = mayBegin(at: now)
            actions += ends(calendar, at: now)
            if mayBegin { actions += begins(calendar, at: now, isStopped: isStopped) }
            version += 1
            nextLook = calendar.nextChange(after: now.date)
            if let end = begun.filter({ !$0.hasEnded && $0.end > now.date }).map(\.end).min() {
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
    private func wakeUp(at now: Moment) -> TimerEngine.Instant? {
        guard let nextLook else { return now.instant }
        let rest = now.date.distance(to: nextLook)
        let milliseconds = rest > 1 ? rest * 999 : max(1, rest * 1000)
        let due = now.instant + .milliseconds(Int64(milliseconds.rounded()))
        guard !mayBegin(at: now) else { return due }
        return min(due, TimerEngine.Instant(sinceEpoch: Self.timeToSynchronise))
    }

    private mutating func ends(_ calendar: AgendaCalendar, at now: Moment) -> [Action] {
        var actions: [Action] = []
        for place in begun.indices where !begun[place].hasEnded {
            let meeting = begun[place]
            let isKnown = calendar.agenda.meetings.contains { $0.name == meeting.name }
            // A clock that was set back to before it began does not end it.
            guard meeting.end <= now.date || !isKnown else { continue }
            begun[place].hasEnded = true
            if reminder?.meeting == meeting.name { reminder = nil }
            actions.append(.ended(reference(to: meeting), at: min(meeting.end, now.date)))
        }
        return actions
    }

    private mutating func begins(_ calendar: AgendaCalendar, at now: Moment, isStopped: Bool) -> [Action] {
        var actions: [Action] = []
        var slot: Date?
        for occurrence in calendar.inProgress(at: now.date) {
            let meeting = calendar.agenda.meetings[occurrence.index]
            guard !begun.contains(where: { $0.isSame(as: occurrence, named: meeting.name) }) else { continue }
            let lateness = occurrence.begin.distance(to: now.date)
            note(occurrence, meeting, at: lateness < 1 ? occurrence.begin : now.date)
            actions.append(
                .began(MeetingReference(meeting), at: lateness < 1 ? occurrence.begin : now.date))
            // Of those that begin together the first attended one counts.
            guard meeting.attend, slot != occurrence.begin else { continue }
            slot = occurrence.begin
            guard isStopped, let group = meeting.group, meeting.begin != .none else { continue }
            let isLate = lateness > Self.maximumLateness
            actions.append(.act(isLate ? .select : meeting.begin, group: group))
            if meeting.begin == .select || isLate { remind(of: meeting, until: occurrence.end, at: now) }
        }
        return actions
    }

    private mutating func note(_ occurrence: AgendaCalendar.Occurrence, _ meeting: Agenda.Meeting, at date: Date) {
        begun.append(
            BegunMeeting(
                name: meeting.name, begin: occurrence.begin, end: occurrence.end, beganAt: date,
                index: occurrence.index))
        let over = begun.count - Self.maximumBegun
        if over > 0 { begun.removeFirst(over) }
    }

    private func reference(to begun: BegunMeeting) -> MeetingReference {
        guard let meetings = agenda?.meetings, meetings.indices.contains(begun.index) else {
            return MeetingReference(name: begun.name, location: nil, attend: true)
        }
        return MeetingReference(meetings[begun.index])
    }
}

// MARK: - Reminders

extension AgendaControl {
    private mutating func remind(of meeting: Agenda.Meeting, until end: Date, at now: Moment) {
        guard let agenda, agenda.remindAfter > 0 else { return }
        reminder = Reminder(meeting: meeting.name, end: end, next: now.instant + .seconds(agenda.remindAfter))
    }

    private mutating func reminders(at now: Moment, isStopped: Bool) -> [Action] {
        guard var due = reminder else { return [] }
        guard isStopped, now.date < due.end, let meeting = agenda?.meetings.first(where: { $0.name == due.meeting })
        else {
            reminder = nil
            return []
        }
        guard due.next <= now.instant else { return [] }
        due.count += 1
        // After a stall one is enough.
        while due.next <= now.instant { due.next = due.next + Reminder.interval }
        reminder = due.count < Reminder.limit ? due : nil
        return [.remind(MeetingReference(meeting), count: due.count)]
    }
}

// MARK: - Meetings by hand, and what is told

extension AgendaControl {
    /// Begins a meeting now, by its index from 1 or its unique name.
    mutating func begin(_ selector: String, at now: Moment) throws(Refusal) -> [Action] {
        guard let agenda, let calendar else { throw Refusal(.notFound, "there is no agenda") }
        let index = try agenda.index(selector)
        let meeting = agenda.meetings[index]
        let near = calendar.occurrences(from: now.date, to: now.date.addingTimeInterval(Self.nearness))
            .first { $0.index == index }
        let occurrence =
            near
            ?? AgendaCalendar.Occurrence(
                index: index, begin: now.date, end: now.date.addingTimeInterval(TimeInterval(meeting.duration)))
        var actions: [Action] = []
        if !begun.contains(where: { $0.isSame(as: occurrence, named: meeting.name) }) {
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

    /// The meetings that have begun and not ended, those that began early too.
    func inProgress(at date: Date) -> [BegunMeeting] { begun.filter { !$0.hasEnded && date < $0.end } }

    /// The meeting for the state: the one that is attended and began last, if possible one whose group is selected.
    func current(at date: Date, group: Int) -> (begun: BegunMeeting, meeting: Agenda.Meeting)? {
        let attended = inProgress(at: date).compactMap { begun -> (begun: BegunMeeting, meeting: Agenda.Meeting)? in
            guard let meetings = agenda?.meetings, meetings.indices.contains(begun.index),
                meetings[begun.index].attend
            else { return nil }
            return (begun, meetings[begun.index])
        }
        return attended.last { $0.meeting.group == group } ?? attended.last
    }

    /// What the topic `agenda` says; nil where there is none.
    func message(at date: Date) -> AgendaMessage? {
        guard var message = calendar?.message(revision: revision, at: date) else { return nil }
        // Whoever shows the days and times has to know the zone.
        message.agenda.zone = message.agenda.zone ?? zones?.machineName
        let early = inProgress(at: date).filter { $0.begin > date }
        message.inProgress += early.map {
            .init(meeting: $0.index + 1, name: $0.name, beginsAt: $0.begin, endsAt: $0.end)
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

extension Date {
    fileprivate var roundedToMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}

extension MeetingReference {
    init(_ meeting: Agenda.Meeting) {
        self.init(name: meeting.name, location: meeting.location, attend: meeting.attend)
    }
}
