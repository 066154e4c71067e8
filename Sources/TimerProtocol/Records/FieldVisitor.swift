/// The fields of a JSON object in a payload. They are removed one by one; those left at the end are unknown.
package struct PayloadFields {
    private var members: [JSON.Member]
    /// The path of the object, such as `groups[1].timers[2]`, counted from 1; empty for the payload.
    package let place: String
    /// Whether unknown fields are ignored, as in a node's messages. A command with an unknown field is refused.
    package let ignoresUnknown: Bool
    private var known: [String] = []
    /// The refusal of the first missing field. An unknown field is refused first, since it may be the missing one,
    /// misspelt.
    private(set) var lacks: Refusal?
    /// Whether the payload is plain text, which is the value of the only field.
    let isPlain: Bool

    package init(_ members: [JSON.Member], at place: String = "", ignoresUnknown: Bool = false) {
        self.members = members
        self.place = place
        self.ignoresUnknown = ignoresUnknown
        isPlain = false
    }

    /// Plain text that stands for a field.
    init(plain text: String, for key: String) {
        members = [JSON.Member(key: key, value: .string(text))]
        (place, ignoresUnknown, isPlain) = ("", false, true)
    }

    /// The keys of the fields that have not been removed, in order.
    package var names: [String] { members.map(\.key) }

    /// Removes and returns a field; nil if it is absent or null.
    package mutating func remove(_ key: String) -> JSON? {
        // The refusal of an unknown field lists the known ones.
        if !ignoresUnknown { known.append(key) }
        guard let index = members.firstIndex(where: { $0.key == key }) else { return Optional.none }
        let value = members.remove(at: index).value
        // The literal nil would be the JSON value null here.
        return value == .null ? Optional.none : value
    }

    /// Whether the object has a field and it is not null.
    package func has(_ key: String) -> Bool? { members.contains { $0.key == key && $0.value != .null } }

    /// Removes and returns all fields that are left.
    package mutating func removeAll() -> [JSON.Member] {
        defer { members = [] }
        return members
    }

    /// Refuses an object without a required field, at once or in ``finish()``.
    mutating func lack(_ key: String) throws(Refusal) {
        if ignoresUnknown { throw missing(key) }
        lacks = lacks ?? missing(key)
    }

    /// Refuses an object that has fields left or lacks a required one.
    package func finish() throws(Refusal) {
        guard !ignoresUnknown, let unknown = members.first else {
            if let lacks { throw lacks }
            return
        }
        let name = place.isEmpty ? unknown.key.quoted : "\(place).\(unknown.key.excerpt)"
        let fields = known.isEmpty ? "none" : known.joined(separator: ", ")
        throw Refusal(.invalidPayload, "unknown field \(name); known fields: \(fields)")
    }
}

// MARK: - Refusals

extension PayloadFields {
    /// Returns the path of a field, for messages.
    package func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    /// The name of a field in messages.
    private func label(_ key: String) -> String { place.isEmpty ? "\"\(key)\"" : "\(place).\(key)" }

    package func refusal(_ key: String, found: String, expected: String) -> Refusal {
        let place = isPlain ? "" : "field \(label(key)): "
        return Refusal(.invalidPayload, "\(place)found \(found), expected \(expected)")
    }

    package func missing(_ key: String) -> Refusal { Refusal(.invalidPayload, "field \(label(key)) is missing") }

}

extension JSON {
    /// How the value is described in messages.
    package var found: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): value.quoted
        case .array: "an array"
        case .object: "an object"
        }
    }
}

// How published payloads are read: with the same keys that write them, silently ignoring unknown fields.
extension PayloadFields {
    /// Reads a payload that is a JSON object.
    ///
    /// - Parameter message: creates the value from the object's fields.
    package static func read<Message>(
        _ payload: [UInt8], _ message: (inout PayloadFields) throws(Refusal) -> Message
    ) throws(PayloadError) -> Message {
        let json: JSON
        do throws(JSON.ParseError) {
            json = try JSON(parsing: payload)
        } catch {
            throw PayloadError(error.description)
        }
        guard case .object(let members) = json else {
            throw PayloadError("found \(json.found), expected a JSON object")
        }
        var fields = PayloadFields(members, ignoresUnknown: true)
        do throws(Refusal) {
            return try message(&fields)
        } catch {
            throw PayloadError(error.message)
        }
    }
}

extension PayloadFields: FieldVisitor {
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ bounds: Value.Bounds, _ presence: Presence, _ about: String
    ) throws(Refusal) {
        guard let json = remove(key) else {
            if presence == .required { try lack(key) }
            return
        }
        value = try Value.read(PayloadValue(json, key, of: self), bounds)
    }

    package func check(_ body: (PayloadFields) throws(Refusal) -> Void) throws(Refusal) {
        guard lacks == nil else { return }
        try body(self)
    }

    package mutating func rest(_ members: inout [JSON.Member]) { members = removeAll() }
}

extension JSONWriter: FieldVisitor {
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ bounds: Value.Bounds, _ presence: Presence, _ about: String
    ) throws(Refusal) {
        if presence == .omitted, value.isOmitted { return }
        self.key(key)
        value.write(to: &self, bounds)
    }

    package func has(_ key: String) -> Bool? { nil }

    package mutating func rest(_ members: inout [JSON.Member]) {
        for member in members {
            key(escaping: member.key)
            value(member.value)
        }
    }

    package func check(_ body: (PayloadFields) throws(Refusal) -> Void) {}

    /// Writes the fields of a record into the current object.
    package mutating func fields(of record: some Record) {
        var record = record
        // A writer never throws.
        try? record.fields(&self)
    }
}
