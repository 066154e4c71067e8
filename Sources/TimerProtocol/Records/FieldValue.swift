/// A value that a field of a record may have: how it is read, written and described.
package protocol FieldValue {
    /// What its values may be: a range of numbers, a ``TextKind``.
    associatedtype Bounds = Void

    /// Reads the value.
    ///
    /// - Throws: a refusal that says where, what was found and what is expected.
    static func read(_ value: PayloadValue, _ bounds: Bounds) throws(Refusal) -> Self

    /// Writes the value, also one that is out of its bounds.
    func write(to writer: inout JSONWriter, _ bounds: Bounds)

    /// The values as JSON Schema describes them.
    static func schema(_ bounds: Bounds) -> JSON

    /// Whether a field with this value is left out of an object, where it may be left out.
    var isOmitted: Bool { get }
}

extension FieldValue {
    package var isOmitted: Bool { false }

    /// The value as JSON, in UTF-8 without white space.
    ///
    /// - Parameter capacity: about as many bytes as it takes.
    package func json(_ bounds: Bounds, capacity: Int = 256) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        write(to: &writer, bounds)
        return writer.bytes
    }
}

/// A value that is no object and no array, and needs no bounds.
package protocol ScalarValue: FieldValue where Bounds == Void {
    /// How a message describes the values that are expected.
    static var expected: String { get }

    /// Reads the value; nil for another kind of value and for one out of range.
    init?(field: JSON)
}

extension ScalarValue {
    package static func read(_ value: PayloadValue, _ bounds: Void) throws(Refusal) -> Self {
        guard let result = Self(field: value.json) else { throw value.refusal(expected: expected) }
        return result
    }

    package static func schema(_ bounds: Void) -> JSON { ["type": "string"] }
}

/// A value in a payload, and where it stands there.
package struct PayloadValue {
    package let json: JSON
    /// The fields that it is one of.
    private let parent: PayloadFields
    private let key: String
    /// Its place in an array, counted from 1; nil for a field itself.
    private let place: Int?

    init(_ json: JSON, _ key: String, of parent: PayloadFields, place: Int? = nil) {
        self.json = json
        self.parent = parent
        self.key = key
        self.place = place
    }

    /// Whether it is a plain text, and no field of an object.
    var isPlain: Bool { parent.isPlain }

    private var name: String { place.map { "\(key)[\($0)]" } ?? key }

    /// A refusal of the value.
    ///
    /// - Parameter found: nil to show the value itself.
    package func refusal(found: String? = nil, expected: String) -> Refusal {
        parent.refusal(name, found: found ?? json.found, expected: expected)
    }

    /// The fields of an object.
    func fields() throws(Refusal) -> PayloadFields {
        let path = parent.path(name)
        guard case .object(let members) = json else {
            guard place != nil else { throw refusal(expected: "an object") }
            throw Refusal(.invalidPayload, "field \(path): found \(json.found), expected an object")
        }
        return PayloadFields(members, at: path, ignoresUnknown: parent.ignoresUnknown)
    }

    /// The elements of an array.
    func elements(expected: String) throws(Refusal) -> [PayloadValue] {
        guard case .array(let values) = json else { throw refusal(expected: expected) }
        return values.enumerated().map { PayloadValue($1, key, of: parent, place: $0 + 1) }
    }
}
