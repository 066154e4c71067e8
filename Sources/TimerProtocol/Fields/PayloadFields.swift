/// The fields of a JSON object in a payload. They are removed one after another, and those left at the end are unknown.
package struct PayloadFields {
    private var members: [JSON.Member]
    /// Where the object stands, as in `groups[1].timers[2]`, counted from 1; empty for the payload itself.
    package let place: String
    /// Whether unknown fields are ignored, as in what a node publishes. A command with an unknown field is refused.
    package let ignoresUnknown: Bool
    private var known: [String] = []
    /// The first field that is missing. An unknown one, which may be it misspelt, is refused before.
    private(set) var lacks: Refusal?
    /// Whether this is a plain text, which stands for the one field.
    let isPlain: Bool

    package init(_ members: [JSON.Member], at place: String = "", ignoresUnknown: Bool = false) {
        self.members = members
        self.place = place
        self.ignoresUnknown = ignoresUnknown
        isPlain = false
    }

    /// A plain text that stands for a field.
    init(plain text: String, for key: String) {
        members = [JSON.Member(key: key, value: .string(text))]
        (place, ignoresUnknown, isPlain) = ("", false, true)
    }

    /// The keys of the fields that have not been removed, in their order.
    package var names: [String] { members.map(\.key) }

    /// Removes and returns a field; nil where it is absent or null.
    package mutating func remove(_ key: String) -> JSON? {
        // A refusal of an unknown field names the known ones.
        if !ignoresUnknown { known.append(key) }
        guard let index = members.firstIndex(where: { $0.key == key }) else { return Optional.none }
        let value = members.remove(at: index).value
        // The literal nil would be the JSON value null here.
        return value == .null ? Optional.none : value
    }

    /// Whether there is a field that is not null.
    package func has(_ key: String) -> Bool? { members.contains { $0.key == key && $0.value != .null } }

    /// Removes and returns all fields that are left.
    package mutating func removeAll() -> [JSON.Member] {
        defer { members = [] }
        return members
    }

    /// Refuses an object without a field, at once or with ``finish()``.
    mutating func lack(_ key: String) throws(Refusal) {
        if ignoresUnknown { throw missing(key) }
        lacks = lacks ?? missing(key)
    }

    /// Refuses the fields that have not been removed, and an object that lacks one.
    package func finish() throws(Refusal) {
        guard !ignoresUnknown, let unknown = members.first else {
            if let lacks { throw lacks }
            return
        }
        let name = place.isEmpty ? unknown.key.quoted : "\(place).\(unknown.key.excerpt)"
        let fields = known.isEmpty ? "none" : known.joined(separator: ", ")
        throw Refusal(.invalidPayload, "unknown field \(name); the known ones are \(fields)")
    }
}

// MARK: - Refusals

extension PayloadFields {
    /// Where a field stands, for messages.
    package func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    /// How a message names a field.
    private func label(_ key: String) -> String { place.isEmpty ? "\"\(key)\"" : "\(place).\(key)" }

    package func refusal(_ key: String, found: String, expected: String) -> Refusal {
        let place = isPlain ? "" : "field \(label(key)): "
        return Refusal(.invalidPayload, "\(place)found \(found), expected \(expected)")
    }

    package func missing(_ key: String) -> Refusal { Refusal(.invalidPayload, "field \(label(key)) is missing") }

}

extension JSON {
    /// How a message describes the value.
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
