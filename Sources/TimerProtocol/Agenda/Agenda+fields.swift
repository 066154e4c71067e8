extension Agenda: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("zone", &zone, .zone, .omitted, "The time zone of days and times; absent for the machine's.")
        var seconds = SecondsField(remindAfter)
        try visitor.field(
            "remind_after", &seconds, .reminders, .usual,
            "How many seconds after a meeting's start the node sends a reminder if no run was started; 0 for never.")
        remindAfter = seconds.seconds
        try visitor.field(
            "meetings", &meetings, ListBounds((), count: (0...Self.maximumMeetings, "meetings")),
            "The meetings; commands refer to them by their position, counted from 1.")
    }

    /// The refusal of an agenda with a zone that this system does not have.
    ///
    /// - Parameter index: the meeting that names the zone, counted from 0; nil for the agenda's zone.
    package func unknownZone(ofMeeting index: Int?) -> Refusal {
        let place = index.map { "meetings[\($0 + 1)]" } ?? ""
        let name = index.map { meetings.indices.contains($0) ? meetings[$0].zone : nil } ?? zone
        return PayloadFields([], at: place).refusal(
            "zone", found: name?.quoted ?? "nothing",
            expected: "\(ZoneName.expected), known to this system")
    }
}

extension Agenda.Meeting: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .name, "The meeting's name.")
        var list = DaysField(days)
        try visitor.field("day", &list, "A weekday or a date, or a list of them.")
        days = list.days
        try visitor.field("at", &at, "The time of day at which it begins.")
        var seconds = SecondsField(duration)
        try visitor.field("for", &seconds, .durations, "How many seconds it lasts.")
        duration = seconds.seconds
        var number = group.map { GroupField($0) }
        try visitor.field("group", &number, .omitted, "The group of timers that it uses, counted from 1.")
        group = number?.group
        // A payload may omit it; the default then depends on the group.
        var begin = visitor.has("begin") == nil ? self.begin : nil
        try visitor.field("begin", &begin, "What happens when it begins.")
        self.begin = begin ?? Begin(group: group)
        try visitor.field("attend", &attend, .usual, "Whether it is attended.")
        var lead = self.lead.map { SecondsField($0) }
        try visitor.field(
            "lead", &lead, .leads, .omitted, "How many seconds before its beginning displays count down to it.")
        self.lead = lead?.seconds
        try visitor.field("zone", &zone, .zone, .omitted, "The zone of its days and time; absent for the agenda's.")
        try visitor.field("location", &location, .plain, .omitted, "The location of the meeting.")
        try visitor.field("note", &note, .note, .omitted, "A note for people.")
        let hasGroup = group != nil
        try visitor.check { (fields) throws(Refusal) in
            guard !hasGroup, let begin, begin != .none else { return }
            throw fields.refusal("begin", found: begin.rawValue, expected: Self.expectedBegin)
        }
    }
}

// MARK: - Values of fields

/// A number of seconds, which a command may also give as a string with a unit.
private struct SecondsField: FieldValue {
    struct Bounds {
        let range: ClosedRange<Int>
        let expected: String
        let seconds: (String) -> Int?

        static var reminders: Self {
            Self(
                range: Agenda.reminders, expected: "whole seconds from 0 to 86400, or \(Agenda.expectedReminder)",
                seconds: Agenda.reminder)
        }
        static var leads: Self {
            Self(
                range: Agenda.Meeting.leads,
                expected: "whole seconds from 1 to 86400, or \(Agenda.Meeting.expectedLead)",
                seconds: Agenda.Meeting.lead)
        }
        static var durations: Self {
            Self(
                range: Agenda.Meeting.durations,
                expected: "whole seconds from 60 to 604800, or \(Agenda.Meeting.expectedDuration)",
                seconds: Agenda.Meeting.duration)
        }
    }

    let seconds: Int

    init(_ seconds: Int) { self.seconds = seconds }

    static func read(_ value: PayloadValue, _ bounds: Bounds) throws(Refusal) -> SecondsField {
        let seconds =
            if case .string(let text) = value.json { bounds.seconds(text) } else { Int(value.json, in: bounds.range) }
        guard let seconds else { throw value.refusal(expected: bounds.expected) }
        return SecondsField(seconds)
    }

    func write(to writer: inout JSONWriter, _ bounds: Bounds) { writer.value(seconds) }
    static func schema(_ bounds: Bounds) -> JSON { Int.schema(bounds.range) }
}

/// The number of a group. Its error message does not mention the upper bound.
private struct GroupField: ScalarValue {
    static let expected = Agenda.Meeting.expectedGroup

    let group: Int

    init(_ group: Int) { self.group = group }

    init?(field: JSON) {
        guard let group = Int(field, in: Agenda.Meeting.groups) else { return nil }
        self.group = group
    }

    func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(group) }
    static func schema(_ bounds: Void) -> JSON { Int.schema(Agenda.Meeting.groups) }
}

/// One day, or a list of them.
private struct DaysField: FieldValue {
    let days: [Agenda.Meeting.Day]

    init(_ days: [Agenda.Meeting.Day]) { self.days = days }

    static func read(_ value: PayloadValue, _ bounds: Void) throws(Refusal) -> DaysField {
        guard case .array(let elements) = value.json else {
            guard let day = Agenda.Meeting.Day(field: value.json) else {
                throw value.refusal(expected: Agenda.Meeting.expectedDays)
            }
            return DaysField([day])
        }
        guard Agenda.Meeting.dayCounts.contains(elements.count) else {
            throw value.refusal(found: "a list of \(elements.count)", expected: Agenda.Meeting.expectedDays)
        }
        let values = try value.elements(expected: Agenda.Meeting.expectedDays)
        var days: [Agenda.Meeting.Day] = []
        for value in values { days.append(try Agenda.Meeting.Day.read(value, ())) }
        if let index = Agenda.Meeting.duplicate(in: days) {
            throw values[index].refusal(found: "\(days[index]) a second time", expected: "each day once")
        }
        return DaysField(days)
    }

    func write(to writer: inout JSONWriter, _ bounds: Void) {
        if days.count == 1 {
            writer.value(days[0].description)
        } else {
            writer.array(days) { $0.value($1.description) }
        }
    }

    static func schema(_ bounds: Void) -> JSON {
        let day = Agenda.Meeting.Day.schema(())
        let counts = (Agenda.Meeting.dayCounts, "days")
        return ["oneOf": [day, [Agenda.Meeting.Day].schema(ListBounds((), count: counts))]]
    }
}

extension Agenda.Meeting.Begin: ScalarValue {}

extension Agenda.Meeting.Day: ScalarValue, LosslessStringConvertible {
    package static var expected: String { Agenda.Meeting.expectedDay }
}

extension TimeOfDay: ScalarValue, LosslessStringConvertible {
    package static var expected: String { Agenda.Meeting.expectedTime }
}

extension CivilDate: ScalarValue, LosslessStringConvertible {
    package static var expected: String { "a date such as 2026-11-24" }
}
