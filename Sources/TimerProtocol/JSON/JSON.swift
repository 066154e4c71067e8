internal import TimerEngine

/// A JSON value whose objects keep the order of their keys.
///
/// The parser refuses a payload with a duplicate key or with deep nesting, which Foundation's decoder accepts. The
/// writer keeps the order of keys, so equal messages are encoded as equal bytes.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without a fraction or an exponent that fits into an `Int`.
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

    /// The value of a member; nil if there is no such member or this is not an object.
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

extension [UInt8] {
    /// Appends a number in decimal digits, padded with zeros in front to `width` digits.
    package mutating func append(decimal number: Int, width: Int = 1) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(decimal: number.magnitude, width: width)
    }

    /// Appends a number in decimal digits, padded with zeros in front to `width` digits.
    package mutating func append(decimal number: UInt, width: Int = 1) {
        let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
        if high > 0 {
            append(decimal: high, width: width - 8)
            return append(decimal: low, width: 8)
        }
        // There are at most eight digits, computed from the last to the first. Each becomes a byte of one number, and
        // the first digit ends up in the lowest byte.
        var (rest, digits, count) = (low, UInt64(0), 0)
        repeat {
            let tens = rest / 10
            digits = digits << 8 | UInt64(rest - tens * 10)
            (rest, count) = (tens, count + 1)
        } while rest > 0 || count < width
        for _ in 0..<count {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits))
            digits >>= 8
        }
    }

    /// Appends a number below 100 as two digits.
    package mutating func append(twoDigits number: Int) {
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two bytes as two hexadecimal digits each.
    package mutating func append(hexadecimal first: UInt8, _ second: UInt8) {
        for half in [first >> 4, first & 15, second >> 4, second & 15] {
            append(half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10)
        }
    }
}
