internal import TimerEngine

/// A JSON value whose objects keep their order.
///
/// Small and strict rather than general: a command's payload is refused where a key stands twice or the nesting is
/// deep, which Foundation's decoder lets pass, and what is published has the same order of keys each time.
package enum JSON: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object; no key stands twice.
    case object([Member])

    /// A key with its value.
    package struct Member: Hashable, Sendable {
        /// The key.
        package let key: String
        /// The value.
        package let value: JSON

        /// Pairs a key with a value.
        package init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The member of an object; nil for a key that is not there and for anything but an object.
    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    package init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    package init(integerLiteral value: Int) { self = .integer(value) }
    /// A truth value.
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Null.
    package init(nilLiteral: ()) { self = .null }
    /// An array.
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object with its keys in the order written.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map(Member.init))
    }
}

extension JSON {
    /// A string, or null for nil.
    package init(_ text: String?) { self = text.map(JSON.string) ?? .null }
}

extension JSON {
    /// The value in UTF-8, without white space.
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
                    writer.key(JSONKey(member.key))
                    writer.value(member.value)
                }
            }
        }
    }
}
