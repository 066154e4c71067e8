extension Agenda {
    /// Reads the fields of an agenda, and leaves the others of the object.
    ///
    /// - Parameter fields: those of a command, which are read strictly, or those of what a node publishes.
    /// - Throws: a refusal that says where, what was found and what is expected.
    package init(_ fields: inout PayloadFields) throws(Refusal) {
        self.init()
        zone = try fields.optional(.zone, .zone)
        remindAfter =
            try fields.seconds(
                .remindAfter, in: Self.reminders, "whole seconds from 0 to 86400, or \(Self.expectedReminder)",
                Self.reminder)
            ?? remindAfter
        guard let objects = try fields.objects(JSONKey.meetings.name) else {
            throw fields.missing(JSONKey.meetings.name)
        }
        guard objects.count <= Self.maximumMeetings else {
            throw fields.refusal(
                JSONKey.meetings.name, found: "\(objects.count) meetings",
                expected: "at most \(Self.maximumMeetings)")
        }
        for object in objects { meetings.append(try Meeting(object)) }
    }

    /// The refusal of an agenda with a zone that this system does not have.
    ///
    /// - Parameter index: the meeting that names the zone, counted from 0; nil for the agenda's own.
    package func unknownZone(ofMeeting index: Int?) -> Refusal {
        let place = index.map { "\(JSONKey.meetings.name)[\($0 + 1)]" } ?? ""
        let name = index.map { meetings.indices.contains($0) ? meetings[$0].zone : nil } ?? zone
        return PayloadFields([], at: place).refusal(
            JSONKey.zone.name, found: name?.quoted ?? "nothing",
            expected: "\(ZoneName.expected), which this system has")
    }
}

extension Agenda.Meeting {
    fileprivate init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        let name = try fields.optional(.name, .name)
        let days = try fields.days()
        let at: TimeOfDay? = try fields.optional(.at)
        let duration = try fields.seconds(
            .for, in: Self.durations, "whole seconds from 60 to 604800, or \(Self.expectedDuration)", Self.duration)
        let group = try fields.read(JSONKey.group.name, Self.expectedGroup) { json in
            Int(json, in: Self.groups)
        }
        let begin: Begin? = try fields.optional(.begin)
        let attend: Bool? = try fields.optional(.attend)
        let zone = try fields.optional(.zone, .zone)
        let location = try fields.optional(.location, .plain)
        let note = try fields.optional(.note, .note)
        try fields.finish()
        guard let name else { throw fields.missing(JSONKey.name.name) }
        guard let days else { throw fields.missing(JSONKey.day.name) }
        guard let at else { throw fields.missing(JSONKey.at.name) }
        guard let duration else { throw fields.missing(JSONKey.for.name) }
        if group == nil, let begin, begin != .none {
            throw fields.refusal(JSONKey.begin.name, found: begin.rawValue, expected: Self.expectedBegin)
        }
        self.init(
            name: name, days: days, at: at, duration: duration, group: group, begin: begin, attend: attend ?? true,
            zone: zone, location: location, note: note)
    }
}

extension PayloadFields {
    /// Removes and returns a field that `read` understands, and refuses any other value.
    fileprivate mutating func read<Value>(
        _ key: String, _ expected: String, _ read: (JSON) -> Value?
    ) throws(Refusal) -> Value? {
        guard let value = remove(key) else { return Optional.none }
        guard let result = read(value) else { throw refusal(key, found: value.found, expected: expected) }
        return result
    }

    /// Removes and returns a number of seconds in a range, which may be a text with a unit.
    fileprivate mutating func seconds(
        _ key: JSONKey, in range: ClosedRange<Int>, _ expected: String, _ seconds: (String) -> Int?
    ) throws(Refusal) -> Int? {
        try read(key.name, expected) { json in
            if case .string(let text) = json { return seconds(text) }
            return Int(json, in: range)
        }
    }

    /// Removes and returns one day or a list of them.
    fileprivate mutating func days() throws(Refusal) -> [Agenda.Meeting.Day]? {
        let key = JSONKey.day.name
        guard let value = remove(key) else { return Optional.none }
        guard case .array(let elements) = value else {
            guard let day = Agenda.Meeting.Day(field: value) else {
                throw refusal(key, found: value.found, expected: Agenda.Meeting.expectedDays)
            }
            return [day]
        }
        guard Agenda.Meeting.dayCounts.contains(elements.count) else {
            throw refusal(key, found: "a list of \(elements.count)", expected: Agenda.Meeting.expectedDays)
        }
        var days: [Agenda.Meeting.Day] = []
        for (index, element) in elements.enumerated() {
            guard let day = Agenda.Meeting.Day(field: element) else {
                throw refusal("\(key)[\(index + 1)]", found: element.found, expected: Agenda.Meeting.expectedDay)
            }
            days.append(day)
        }
        if let index = Agenda.Meeting.duplicate(in: days) {
            throw refusal("\(key)[\(index + 1)]", found: "\(days[index]) a second time", expected: "each day once")
        }
        return days
    }
}

// MARK: - Writing

extension JSONWriter {
    /// Writes an agenda as members of the object that is open. What is nil is left out.
    package mutating func members(of agenda: Agenda) {
        if let zone = agenda.zone { member(.zone, zone) }
        member(.remindAfter, agenda.remindAfter)
        key(.meetings)
        array(agenda.meetings) { $0.meeting($1) }
    }

    private mutating func meeting(_ meeting: Agenda.Meeting) {
        object { writer in
            writer.member(.name, meeting.name)
            writer.key(.day)
            if meeting.days.count == 1 {
                writer.value(meeting.days[0].description)
            } else {
                writer.array(meeting.days) { $0.value($1.description) }
            }
            writer.member(.at, meeting.at.description)
            writer.member(.for, meeting.duration)
            if let group = meeting.group { writer.member(.group, group) }
            writer.member(.begin, meeting.begin.rawValue)
            writer.member(.attend, meeting.attend)
            if let zone = meeting.zone { writer.member(.zone, zone) }
            if let location = meeting.location { writer.member(.location, location) }
            if let note = meeting.note { writer.member(.note, note) }
        }
    }
}

// MARK: - Values of fields

extension Agenda.Meeting.Begin: FieldValue {}

extension Agenda.Meeting.Day: FieldValue {
    package static var expected: String { Agenda.Meeting.expectedDay }

    package init?(field: JSON) {
        guard case .string(let text) = field else { return nil }
        self.init(text)
    }
}

extension TimeOfDay: FieldValue {
    package static var expected: String { Agenda.Meeting.expectedTime }

    package init?(field: JSON) {
        guard case .string(let text) = field else { return nil }
        self.init(text)
    }
}

extension CivilDate: FieldValue {
    package static var expected: String { "a date such as 2026-11-24" }

    package init?(field: JSON) {
        guard case .string(let text) = field else { return nil }
        self.init(text)
    }
}
