public import FoundationEssentials

/// The payload of the `agenda` topic: the meetings, which of them are in progress, and when the next ones begin.
///
/// All days and times are in the agenda's own zone, whatever zone a meeting is written in.
public struct AgendaMessage: Hashable, Sendable {
    /// Grows by one with each change of the agenda.
    public var revision: Int
    /// The agenda, as the command `agenda` takes it.
    public var agenda: Agenda
    /// The meetings that have begun and not ended, by their begin.
    public var inProgress: [Occurrence]
    /// The next meeting that begins, with its day and time; nil where there is none any more.
    public var next: Occurrence?
    /// When meetings begin on the next seven days, today included.
    public var slots: [Slot]

    /// A meeting that takes place once.
    public struct Occurrence: Hashable, Sendable {
        /// The meeting, counted from 1.
        public var meeting: Int
        /// The meeting's name.
        public var name: String
        /// When it begins.
        public var beginsAt: Date
        /// When it ends.
        public var endsAt: Date
        /// The day and the time of its begin; nil where they are not said, as for a meeting in progress.
        public var begin: LocalTime?

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
        public var day: CivilDate
        /// The time of day.
        public var at: TimeOfDay

        /// A time of a day.
        public init(day: CivilDate, at: TimeOfDay) {
            self.day = day
            self.at = at
        }
    }

    /// The meetings that begin at the same minute.
    public struct Slot: Hashable, Sendable {
        /// When they begin.
        public var begin: LocalTime
        /// The meetings, counted from 1.
        public var meetings: [Int]

        /// Meetings, counted from 1, that begin at a time.
        public init(begin: LocalTime, meetings: [Int]) {
            self.begin = begin
            self.meetings = meetings
        }
    }

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

// MARK: - JSON

extension AgendaMessage: MessagePayload {
    /// The agenda as a JSON object.
    public var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.object { writer in
            writer.member(.revision, revision)
            writer.members(of: agenda)
            writer.key(.inProgress)
            writer.array(inProgress) { writer, occurrence in writer.object { occurrence.write(to: &$0) } }
            if let next { writer.member(.next) { next.write(to: &$0) } } else { writer.member(.next, String?.none) }
            writer.key(.slots)
            writer.array(slots) { writer, slot in writer.object { slot.write(to: &$0) } }
        }
        return writer.bytes
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        self = try PayloadFields.read(payload) { (fields) throws(Refusal) in
            Self(
                revision: try fields.required(.revision, in: .counts),
                agenda: try Agenda(&fields),
                inProgress: try fields.elements(.inProgress) { (object) throws(Refusal) in try Occurrence(&object) },
                next: try fields.object(JSONKey.next.name).map { (next) throws(Refusal) in
                    var next = next
                    return try Occurrence(&next)
                },
                slots: try fields.elements(.slots) { (object) throws(Refusal) in try Slot(&object) })
        }
    }
}

extension AgendaMessage.Occurrence {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member(.meeting, meeting)
        writer.member(.name, name)
        writer.member(.beginsAt, beginsAt)
        writer.member(.endsAt, endsAt)
        begin?.write(to: &writer)
    }

    fileprivate init(_ fields: inout PayloadFields) throws(Refusal) {
        self.init(
            meeting: try fields.required(.meeting, in: Agenda.places), name: try fields.required(.name, .name),
            beginsAt: try fields.required(.beginsAt), endsAt: try fields.required(.endsAt))
        if let day: CivilDate = try fields.optional(.day) { begin = .init(day: day, at: try fields.required(.at)) }
    }
}

extension AgendaMessage.LocalTime {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member(.day, day.description)
        writer.member(.at, at.description)
    }
}

extension AgendaMessage.Slot {
    fileprivate func write(to writer: inout JSONWriter) {
        begin.write(to: &writer)
        writer.key(.meetings)
        writer.array(meetings) { $0.value($1) }
    }

    fileprivate init(_ fields: inout PayloadFields) throws(Refusal) {
        begin = AgendaMessage.LocalTime(day: try fields.required(.day), at: try fields.required(.at))
        meetings = try fields.wholeNumbers(.meetings, in: Agenda.places)
    }
}

extension PayloadFields {
    /// Removes an array of objects that must be there, and returns what `read` makes of each.
    fileprivate mutating func elements<Element>(
        _ key: JSONKey, _ read: (inout PayloadFields) throws(Refusal) -> Element
    ) throws(Refusal) -> [Element] {
        guard let objects = try objects(key.name) else { throw missing(key.name) }
        var elements: [Element] = []
        for var object in objects { elements.append(try read(&object)) }
        return elements
    }
}
