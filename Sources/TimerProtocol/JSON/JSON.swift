internal import TimerEngine

/// A JSON value whose objects keep the order of their keys.
///
/// The parser refuses a payload with a duplicate key or with deep nesting, which Foundation's decoder accepts. The writer
/// keeps the order of keys, so that equal messages are equal bytes.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits into an `Int`.
    case integer(Int)
    /// Any other number.
    case number(Double)
    case string(String)
    case array([JSON])
    /// An object. No two members have the same key.
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSON

        package init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The value of a member; nil where there is no such member, and for anything but an object.
    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map(Member.init))
    }
}

extension JSON {
    /// A string, or null for nil.
    package init(_ text: String?) { self = text.map(JSON.string) ?? .null }
}

extension JSON {
    /// The value as UTF-8 without white space.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The value as text, without white space.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONWriter {
    package mutating func value(_ json: JSON) {
        switch json {
        case .null: null()
        case .bool(let value): self.value(value)
        case .integer(let value): self.value(value)
        case .number(let value): self.value(value)
        case .string(let value): self.value(value)
        case .array(let values): array(values) { $0.value($1) }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.key(escaping: member.key)
                    writer.value(member.value)
                }
            }
        }
    }
}
