/// A struct that is a JSON object, in a payload or in a saved document.
///
/// ``fields(_:)`` names each field once. A ``JSONWriter`` writes them, ``PayloadFields`` reads them, and a ``SchemaCollector``
/// tells what they may be: what one of them does with a field, the others do too.
package protocol Record: FieldValue where Bounds == Void {
    /// A value with what its fields are where an object does not have them.
    init()

    /// Shows each field to a visitor, in the order in which they are written.
    ///
    /// - Throws: the visitor's refusal of a field. One that only looks refuses nothing.
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal)
}

/// What is done with each field of a record.
package protocol FieldVisitor {
    /// Visits one field.
    ///
    /// - Parameters:
    ///   - key: the field's key, of characters that JSON does not escape.
    ///   - bounds: the values that it may have.
    ///   - about: what it means, in a sentence for people.
    mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ bounds: Value.Bounds, _ presence: Presence, _ about: String
    ) throws(Refusal)

    /// Whether the object that is read has a field, which tells what kind of object it is; nil where nothing is read.
    mutating func has(_ key: String) -> Bool?

    /// Where values are read: looks at them together. What is missing is refused before.
    mutating func check(_ body: (PayloadFields) throws(Refusal) -> Void) throws(Refusal)

    /// Visits the fields that no record names, as a model's in a command.
    mutating func rest(_ members: inout [JSON.Member])
}

/// What it means that an object does not have a field.
package enum Presence {
    /// It is no such object.
    case required
    /// It is of a version that does not have the field: the value stays what ``Record/init()`` made it. Null means the same.
    case usual
    /// The value is the usual one, which is not written: nil, false, or empty.
    case omitted
}

extension FieldVisitor {
    /// Visits a field that every object has.
    @inline(__always)
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ bounds: Value.Bounds, _ about: String
    ) throws(Refusal) {
        try field(key, &value, bounds, .required, about)
    }

    /// Visits a field that every object has.
    @inline(__always)
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ about: String
    ) throws(Refusal) where Value.Bounds == Void {
        try field(key, &value, (), .required, about)
    }

    /// Visits a field without bounds.
    @inline(__always)
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ presence: Presence, _ about: String
    ) throws(Refusal) where Value.Bounds == Void {
        try field(key, &value, (), presence, about)
    }

    /// Visits a field that is null for nil.
    @inline(__always)
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value?, _ bounds: Value.Bounds, _ about: String
    ) throws(Refusal) {
        try field(key, &value, bounds, .usual, about)
    }

    /// Visits a field that is null for nil.
    @inline(__always)
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value?, _ about: String
    ) throws(Refusal) where Value.Bounds == Void {
        try field(key, &value, (), .usual, about)
    }
}

extension Record {
    package static func read(_ value: PayloadValue, _ bounds: Void) throws(Refusal) -> Self {
        try read(try value.fields())
    }

    /// Reads the fields of an object.
    package static func read(_ fields: PayloadFields) throws(Refusal) -> Self {
        var (record, fields) = (Self(), fields)
        try record.fields(&fields)
        try fields.finish()
        return record
    }

    /// Reads a payload that is a JSON object.
    package static func read(_ payload: [UInt8]) throws(PayloadError) -> Self {
        try PayloadFields.read(payload) { (fields) throws(Refusal) in try read(fields) }
    }

    package func write(to writer: inout JSONWriter, _ bounds: Void) {
        writer.object { $0.fields(of: self) }
    }

    /// The record as JSON, in UTF-8 without white space.
    ///
    /// - Parameter capacity: about as many bytes as it takes.
    package func json(capacity: Int = 256) -> [UInt8] { json((), capacity: capacity) }

    package static func schema(_ bounds: Void) -> JSON { SchemaCollector.schema(of: Self.self) }
}

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
