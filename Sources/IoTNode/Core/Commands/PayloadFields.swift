internal import FoundationEssentials

/// The fields of a JSON payload, taken one after another; what is left at the end is unknown.
struct PayloadFields {
    private var members: [JSON.Member]
    private var known: [String] = []

    init(_ members: [JSON.Member]) {
        self.members = members
    }

    /// Takes a field; nil where it is not there or null.
    mutating func take(_ key: String) -> JSON? {
        known.append(key)
        guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
        let value = members.remove(at: index).value
        return value == .null ? nil : value
    }

    /// A field as it stands, without taking it.
    func peek(_ key: String) -> JSON? {
        members.first { $0.key == key }?.value
    }

    /// Takes all that is left.
    mutating func takeAll() -> [JSON.Member] {
        defer { members = [] }
        return members
    }

    mutating func string(_ key: String) throws(Refusal) -> String? {
        switch take(key) {
        case nil: return nil
        case .string(let text)?: return text
        case let value?: throw Self.refusal(key, found: value, expected: "a string")
        }
    }

    /// A name or a text that people read.
    mutating func text(_ key: String) throws(Refusal) -> String? {
        guard let text = try string(key) else { return nil }
        guard PlainText.fits(text) else {
            throw Refusal(
                .invalidPayload, "field \"\(key)\": found \(text.utf8.count) bytes, expected \(PlainText.expected)")
        }
        return text
    }

    mutating func bool(_ key: String) throws(Refusal) -> Bool? {
        switch take(key) {
        case nil: return nil
        case .bool(let value)?: return value
        case let value?: throw Self.refusal(key, found: value, expected: "true or false")
        }
    }

    /// A time in whole seconds, as a number or as a text such as `1:30`.
    mutating func seconds(_ key: String) throws(Refusal) -> Int? {
        let value = take(key)
        switch value {
        case nil: return nil
        case .integer(let seconds)?: return seconds
        case .string(let text)?:
            if let seconds = TimeText.seconds(text) { return seconds }
        default: break
        }
        throw Self.refusal(key, found: value ?? .null, expected: "whole seconds or a time such as \"1:30\"")
    }

    mutating func date(_ key: String) throws(Refusal) -> Date? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value, let date = Timestamp.date(text) else {
            throw Self.refusal(key, found: value, expected: "a date as RFC 3339 has it, 2026-11-20T12:00:00Z")
        }
        return date
    }

    /// Refuses whatever has not been taken.
    func finish() throws(Refusal) {
        guard let unknown = members.first else { return }
        let fields = known.isEmpty ? "none" : known.joined(separator: ", ")
        throw Refusal(.invalidPayload, "unknown field \"\(unknown.key)\"; the known ones are \(fields)")
    }

    static func require<Value>(_ value: Value?, _ key: String) throws(Refusal) -> Value {
        guard let value else { throw Refusal(.invalidPayload, "field \"\(key)\" is missing") }
        return value
    }

    static func refusal(_ key: String, found: JSON, expected: String) -> Refusal {
        Refusal(.invalidPayload, "field \"\(key)\": found \(found.kind), expected \(expected)")
    }
}
