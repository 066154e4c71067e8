public import FoundationEssentials

/// The payload of the `agenda` topic: the meetings, which of them are in progress, and when the next ones begin.
///
/// All days and times are in the agenda's zone, even if a meeting has another one.
public struct AgendaMessage: Hashable, Sendable {
    /// The revision, which grows by one with each change of the agenda.
    public var revision = 0
    /// The agenda, in the form that the command `agenda` accepts.
    public var agenda = Agenda()
    /// The meetings that have begun and not ended, in the order in which they began.
    public var inProgress: [Occurrence] = []
    /// The next meeting to begin, with its day and time; nil if there are no more.
    public var next: Occurrence?
    /// When meetings begin in the next seven days, including today.
    public var slots: [Slot] = []

    /// One occurrence of a meeting.
    public struct Occurrence: Hashable, Sendable {
        /// The meeting, counted from 1.
        public var meeting = 1
        /// The meeting's name.
        public var name = ""
        /// When it begins.
        public var beginsAt = Date.unread
        /// When it ends.
        public var endsAt = Date.unread
        /// The day and the time at which it begins; nil if they are not published, as for a meeting in progress.
        public var begin: LocalTime?

        /// An occurrence of the first meeting, without times.
        public init() {}

        /// An occurrence of a meeting, which is counted from 1.
        public init(meeting: Int, name: String, beginsAt: Date, endsAt: Date, begin: LocalTime? = nil) {
            self.meeting = meeting
            self.name = name
            self.beginsAt = beginsAt
            self.endsAt = endsAt
            self.begin = begin
        }
    }

    /// A day and a time, in the agenda's zone.
    public struct LocalTime: Hashable, Sendable {
        /// The day.
        public var day = CivilDate.first
        /// The time of day.
        public var at = TimeOfDay.midnight

        /// The start of the first day.
        public init() {}

        /// A time on a day.
        public init(day: CivilDate, at: TimeOfDay) {
            self.day = day
            self.at = at
        }
    }

    /// The meetings that begin at the same minute.
    public struct Slot: Hashable, Sendable {
        /// When they begin.
        public var begin = LocalTime()
        /// The positions of the meetings, counted from 1.
        public var meetings: [Int] = []

        /// No meetings.
        public init() {}

        /// Meetings, counted from 1, that begin at a time.
        public init(begin: LocalTime, meetings: [Int]) {
            self.begin = begin
            self.meetings = meetings
        }
    }

    /// A message with an empty agenda.
    public init() {}

    /// A message about an agenda.
    public init(
        revision: Int, agenda: Agenda, inProgress: [Occurrence] = [], next: Occurrence? = nil, slots: [Slot] = []
    ) {
        self.revision = revision
        self.agenda = agenda
        self.inProgress = inProgress
        self.next = next
        self.slots = slots
    }
}

// MARK: - Fields

extension AgendaMessage: MessagePayload {
    /// The topic that the agenda is published on.
    public static let kind = TopicKind.agenda

    /// The agenda as a JSON object.
    public var bytes: [UInt8] { json(capacity: 4096) }

    /// Reads a JSON object.
    ///
    /// - Throws: A ``PayloadError`` that names the invalid field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension AgendaMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("revision", &revision, .counts, "Grows by one with each change of the agenda.")
        try agenda.fields(&visitor)
        try visitor.field("in_progress", &inProgress, ListBounds(()), "The meetings that have begun and not ended.")
        try visitor.field("next", &next, "The next meeting that has not begun yet; null if there is none.")
        try visitor.field("slots", &slots, ListBounds(()), "When meetings begin in the next seven days.")
    }
}

extension AgendaMessage.Occurrence: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("meeting", &meeting, Agenda.places, "The meeting, counted from 1.")
        try visitor.field("name", &name, .name, "The meeting's name.")
        try visitor.field("begins_at", &beginsAt, "When it begins.")
        try visitor.field("ends_at", &endsAt, "When it ends.")
        if let hasDay = visitor.has("day") { begin = hasDay ? .init() : nil }
        try begin?.fields(&visitor)
    }
}

extension AgendaMessage.LocalTime {
    /// Visits the day and the time as fields of the current object.
    fileprivate mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("day", &day, "The day on which it begins, in the agenda's zone.")
        try visitor.field("at", &at, "The time at which it begins, in the agenda's zone.")
    }
}

extension AgendaMessage.Slot: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try begin.fields(&visitor)
        try visitor.field(
            "meetings", &meetings, ListBounds(Agenda.places, expected: "an array of whole numbers"),
            "The positions of the meetings, counted from 1.")
    }
}
