import TimerEngine

/// A JSON value whose objects keep their order.
///
/// Small and strict rather than general: a command's payload is refused where a key stands twice or the nesting is
/// deep, which Foundation's decoder lets pass, and what is published has the same order of keys each time.
public enum JSON: Hashable, Sendable {
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
    public struct Member: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The value.
        public let value: JSON

        /// Pairs a key with a value.
        public init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The member of an object; nil for a key that is not there and for anything but an object.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object with its keys in the order written.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map(Member.init))
    }
}

extension JSON {
    /// A string, or null for nil.
    init(_ text: String?) { self = text.map(JSON.string) ?? .null }
}
