package import FoundationEssentials

/// The fields of a JSON object in a payload. They are removed one after another, and what is left at the end is unknown.
package struct PayloadFields {
    private var members: [JSON.Member]
    /// Where the object stands, as in `groups[1].timers[2]`, counted from 1; empty for the payload itself.
    package let place: String
    /// Whether unknown fields are ignored, as in what a node publishes. A command with an unknown field is refused.
    package let ignoresUnknown: Bool
    private var known: [String] = []

    package init(_ members: [JSON.Member], at place: String = "", ignoresUnknown: Bool = false) {
        self.members = members
        self.place = place
        self.ignoresUnknown = ignoresUnknown
    }

    /// The keys of the fields that have not been removed, in their order.
    package var names: [String] { members.map(\.key) }

    /// Removes and returns a field; nil where it is absent or null.
    package mutating func remove(_ key: String) -> JSON? {
        known.append(key)
        guard let index = members.firstIndex(where: { $0.key == key }) else { return Optional.none }
        let value = members.remove(at: index).value
        // Not a literal: nil is a JSON value too.
        return value == .null ? Optional.none : value
    }

    /// Removes and returns all fields that are left.
    package mutating func removeAll() -> [JSON.Member] {
        defer { members = [] }
        return members
    }

    /// Refuses the fields that have not been removed.
    package func finish() throws(Refusal) {
        guard !ignoresUnknown, let unknown = members.first else { return }
        let name = place.isEmpty ? unknown.key.quoted : "\(place).\(unknown.key.excerpt)"
        let fields = known.isEmpty ? "none" : known.joined(separator: ", ")
        throw Refusal(.invalidPayload, "unknown field \(name); the known ones are \(fields)")
    }
}

// MARK: - Refusals

extension PayloadFields {
    /// The path of a field, for messages.
    package func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    /// The field as a message names it.
    private func label(_ key: String) -> String { place.isEmpty ? "\"\(key)\"" : "\(place).\(key)" }

    package func refusal(_ key: String, found: String, expected: String) -> Refusal {
        Refusal(.invalidPayload, "field \(label(key)): found \(found), expected \(expected)")
    }

    package func missing(_ key: String) -> Refusal { Refusal(.invalidPayload, "field \(label(key)) is missing") }

    package static func require<Value>(_ value: Value?, _ key: String) throws(Refusal) -> Value {
        guard let value else { throw PayloadFields([]).missing(key) }
        return value
    }
}

// MARK: - Values

extension PayloadFields {
    /// Removes and returns a field that `read` understands, and refuses any other value.
    private mutating func value<Value>(
        _ key: String, _ expected: @autoclosure () -> String, _ read: (JSON) -> Value?
    ) throws(Refusal) -> Value? {
        guard let value = remove(key) else { return Optional.none }
        guard let result = read(value) else { throw refusal(key, found: value.found, expected: expected()) }
        return result
    }

    package mutating func string(_ key: String) throws(Refusal) -> String? {
        try value(key, "a string") { if case .string(let text) = $0 { text } else { nil } }
    }

    /// A text that people read; it may be empty.
    package mutating func text(_ key: String) throws(Refusal) -> String? {
        guard let text = try string(key) else { return nil }
        // A node may publish a text that an older version saved.
        if !ignoresUnknown, let misfit = PlainText.misfit(in: text) {
            throw refusal(key, found: misfit, expected: PlainText.expected)
        }
        return text
    }

    /// A text that people call something by.
    package mutating func name(_ key: String) throws(Refusal) -> String? {
        guard let text = try text(key) else { return nil }
        guard !text.isEmpty else { throw refusal(key, found: "\"\"", expected: PlainText.expectedName) }
        return text
    }

    package mutating func bool(_ key: String) throws(Refusal) -> Bool? {
        try value(key, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
    }

    /// One of the cases.
    package mutating func oneOf<Value: RawRepresentable & CaseIterable>(
        _ key: String, _: Value.Type
    ) throws(Refusal) -> Value? where Value.RawValue == String {
        try value(key, Value.allCases.map(\.rawValue).alternatives) {
            if case .string(let text) = $0 { Value(rawValue: text) } else { nil }
        }
    }

    package mutating func wholeNumber(_ key: String) throws(Refusal) -> Int? {
        try value(key, "a whole number") { $0.wholeNumber }
    }

    package mutating func id(_ key: String) throws(Refusal) -> UUID? {
        try value(key, "a UUID such as 74696d65-722d-8e6f-8064-650000000101") {
            if case .string(let text) = $0 { UUID(uuidString: text) } else { nil }
        }
    }

    /// A time in whole seconds, as a number or as a text such as `1:30`.
    package mutating func seconds(_ key: String) throws(Refusal) -> Int? {
        try value(key, "whole seconds or a time such as \"1:30\"") {
            if case .string(let text) = $0 { DurationText.seconds(text) } else { $0.wholeNumber }
        }
    }

    /// Such a time with a sign, or without one.
    package mutating func signedSeconds(_ key: String) throws(Refusal) -> Int? {
        try value(key, "whole seconds or a time such as \"-1:30\"") {
            if case .string(let text) = $0 { DurationText.signedSeconds(text) } else { $0.wholeNumber }
        }
    }

    package mutating func date(_ key: String) throws(Refusal) -> Date? {
        try value(key, "a date as RFC 3339 has it, 2026-11-20T12:00:00Z") {
            if case .string(let text) = $0 { Timestamp.date(text) } else { nil }
        }
    }

    /// The fields of an object.
    package mutating func object(_ key: String) throws(Refusal) -> PayloadFields? {
        let (place, ignoresUnknown) = (path(key), ignoresUnknown)
        return try value(key, "an object") {
            guard case .object(let members) = $0 else { return nil }
            return PayloadFields(members, at: place, ignoresUnknown: ignoresUnknown)
        }
    }

    /// The fields of each object in an array.
    package mutating func objects(_ key: String) throws(Refusal) -> [PayloadFields]? {
        let array = { (value: JSON) -> [JSON]? in if case .array(let values) = value { values } else { nil } }
        guard let values = try value(key, "an array", array) else { return nil }
        var objects: [PayloadFields] = []
        for (index, value) in values.enumerated() {
            let place = "\(path(key))[\(index + 1)]"
            guard case .object(let members) = value else {
                throw Refusal(.invalidPayload, "field \(place): found \(value.found), expected an object")
            }
            objects.append(PayloadFields(members, at: place, ignoresUnknown: ignoresUnknown))
        }
        return objects
    }
}

extension JSON {
    /// What a refusal says was found.
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

    /// The number where it is a whole one: `5`, and `5.0` too.
    fileprivate var wholeNumber: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }
}
