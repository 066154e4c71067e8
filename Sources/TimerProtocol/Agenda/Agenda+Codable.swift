// For the saved state, which is read by Foundation's decoder: the same members as in a payload.
extension Agenda: Codable {
    private enum CodingKeys: String, CodingKey {
        case zone, meetings
        case remindAfter = "remind_after"
    }

    /// Writes the members of a payload.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(zone, forKey: .zone)
        try fields.encode(remindAfter, forKey: .remindAfter)
        try fields.encode(meetings, forKey: .meetings)
    }

    /// Reads what was written.
    ///
    /// - Throws: A `DecodingError`, also for what is out of range.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            zone: try fields.decodeIfPresent(String.self, forKey: .zone),
            remindAfter: try fields.decode(Int.self, forKey: .remindAfter, in: Self.reminders),
            meetings: try fields.decode([Meeting].self, forKey: .meetings))
        guard meetings.count <= Self.maximumMeetings else {
            throw DecodingError.dataCorruptedError(
                forKey: .meetings, in: fields, debugDescription: "\(meetings.count) meetings")
        }
    }
}

extension Agenda.Meeting: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, day, at, group, begin, attend, zone, location, note
        case duration = "for"
    }

    /// Writes the members of a payload.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        if days.count == 1 {
            try fields.encode(days[0].description, forKey: .day)
        } else {
            try fields.encode(days.map(\.description), forKey: .day)
        }
        try fields.encode(at.description, forKey: .at)
        try fields.encode(duration, forKey: .duration)
        try fields.encodeIfPresent(group, forKey: .group)
        try fields.encode(begin.rawValue, forKey: .begin)
        try fields.encode(attend, forKey: .attend)
        try fields.encodeIfPresent(zone, forKey: .zone)
        try fields.encodeIfPresent(location, forKey: .location)
        try fields.encodeIfPresent(note, forKey: .note)
    }

    /// Reads what was written.
    ///
    /// - Throws: A `DecodingError`, also for what is out of range.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let day = try? fields.decode(String.self, forKey: .day)
        let days = try day.map { [$0] } ?? fields.decode([String].self, forKey: .day)
        func value<Value>(_ key: CodingKeys, _ text: String, _ read: (String) -> Value?) throws -> Value {
            guard let value = read(text) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: text.quoted)
            }
            return value
        }
        self.init(
            name: try fields.decode(String.self, forKey: .name),
            days: try days.map { try value(.day, $0, Day.init) },
            at: try value(.at, try fields.decode(String.self, forKey: .at), TimeOfDay.init),
            duration: try fields.decode(Int.self, forKey: .duration, in: Self.durations),
            group: try fields.decodeIfPresent(Int.self, forKey: .group, in: Self.groups),
            begin: try value(.begin, try fields.decode(String.self, forKey: .begin), Begin.init),
            attend: try fields.decode(Bool.self, forKey: .attend),
            zone: try fields.decodeIfPresent(String.self, forKey: .zone),
            location: try fields.decodeIfPresent(String.self, forKey: .location),
            note: try fields.decodeIfPresent(String.self, forKey: .note))
    }
}

extension KeyedDecodingContainer {
    fileprivate func decode(_ type: Int.Type, forKey key: Key, in range: ClosedRange<Int>) throws -> Int {
        let number = try decode(type, forKey: key)
        guard range.contains(number) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "found \(number), expected \(Int.expected(range))")
        }
        return number
    }

    fileprivate func decodeIfPresent(_ type: Int.Type, forKey key: Key, in range: ClosedRange<Int>) throws -> Int? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decode(type, forKey: key, in: range)
    }
}
