/// A value that is encoded as a JSON object, in a payload or in a saved document.
///
/// ``fields(_:)`` lists each field once. A ``JSONWriter`` writes the fields, ``PayloadFields`` reads them, and a
/// ``SchemaCollector`` describes them, so the three always agree.
package protocol Record: FieldValue where Bounds == Void {
    /// Creates a value with the defaults of the fields that an object may lack.
    init()

    /// Presents each field to a visitor, in the order in which the fields are written.
    ///
    /// - Throws: the error with which the visitor refuses a field. A visitor that does not read values never throws.
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal)
}

/// An operation on each field of a record.
package protocol FieldVisitor {
    /// Visits one field.
    ///
    /// - Parameters:
    ///   - key: the field's key, of characters that JSON does not escape.
    ///   - bounds: the values that it may have.
    ///   - about: the meaning of the field, as a sentence for people.
    mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ bounds: Value.Bounds, _ presence: Presence, _ about: String
    ) throws(Refusal)

    /// Whether the object being read has a field, to find out the kind of object; nil if no object is being read.
    mutating func has(_ key: String) -> Bool?

    /// Checks values together when they are read. The check is skipped if a required field is missing.
    mutating func check(_ body: (PayloadFields) throws(Refusal) -> Void) throws(Refusal)

    /// Visits the fields that no record lists, such as the model fields in a command.
    mutating func rest(_ members: inout [JSON.Member])
}

/// The meaning of a missing field.
package enum Presence {
    /// The object is invalid.
    case required
    /// The object is from a version without the field: the value remains as ``Record/init()`` set it. Null means the
    /// same.
    case usual
    /// The value is the default, which is not written: nil, false, 0 or empty.
    case omitted
}

extension FieldVisitor {
    /// Visits a required field.
    @inline(__always)
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ bounds: Value.Bounds, _ about: String
    ) throws(Refusal) {
        try field(key, &value, bounds, .required, about)
    }

    /// Visits a required field.
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

    /// Visits an optional value, which is written as null if it is nil.
    @inline(__always)
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value?, _ bounds: Value.Bounds, _ about: String
    ) throws(Refusal) {
        try field(key, &value, bounds, .usual, about)
    }

    /// Visits an optional value, which is written as null if it is nil.
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
    /// - Parameter capacity: the approximate number of bytes.
    package func json(capacity: Int = 256) -> [UInt8] { json((), capacity: capacity) }

    package static func schema(_ bounds: Void) -> JSON { SchemaCollector.schema(of: Self.self) }
}

/// A value that a field of a record may have: how it is read, written and described.
package protocol FieldValue {
    /// The allowed values, such as a range of numbers or a ``TextKind``.
    associatedtype Bounds = Void

    /// Reads the value.
    ///
    /// - Throws: a refusal that names the position, the value found and the value expected.
    static func read(_ value: PayloadValue, _ bounds: Bounds) throws(Refusal) -> Self

    /// Writes the value, even if it is out of bounds.
    func write(to writer: inout JSONWriter, _ bounds: Bounds)

    /// Returns the JSON Schema of the values.
    static func schema(_ bounds: Bounds) -> JSON

    /// Whether a field with this value is omitted from an object, if its presence allows that.
    var isOmitted: Bool { get }
}

extension FieldValue {
    package var isOmitted: Bool { false }

    /// The value as JSON, in UTF-8 without white space.
    ///
    /// - Parameter capacity: the approximate number of bytes.
    package func json(_ bounds: Bounds, capacity: Int = 256) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        write(to: &writer, bounds)
        return writer.bytes
    }
}

/// A value that is neither an object nor an array and that needs no bounds.
package protocol ScalarValue: FieldValue where Bounds == Void {
    /// The description of the expected values in messages.
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

/// A value in a payload, with its position there.
package struct PayloadValue {
    package let json: JSON
    /// The fields of the object that contains the value.
    private let parent: PayloadFields
    private let key: String
    /// The position of the value in an array, counted from 1; nil for the value of a field.
    private let place: Int?

    init(_ json: JSON, _ key: String, of parent: PayloadFields, place: Int? = nil) {
        self.json = json
        self.parent = parent
        self.key = key
        self.place = place
    }

    /// Whether the value is plain text and not a field of an object.
    var isPlain: Bool { parent.isPlain }

    private var name: String { place.map { "\(key)[\($0)]" } ?? key }

    /// Returns a refusal of the value.
    ///
    /// - Parameter found: what was found; nil to show the value.
    package func refusal(found: String? = nil, expected: String) -> Refusal {
        parent.refusal(name, found: found ?? json.found, expected: expected)
    }

    /// Returns the fields of an object.
    func fields() throws(Refusal) -> PayloadFields {
        let path = parent.path(name)
        guard case .object(let members) = json else {
            guard place != nil else { throw refusal(expected: "an object") }
            throw Refusal(.invalidPayload, "field \(path): found \(json.found), expected an object")
        }
        return PayloadFields(members, at: path, ignoresUnknown: parent.ignoresUnknown)
    }

    /// Returns the elements of an array.
    func elements(expected: String) throws(Refusal) -> [PayloadValue] {
        guard case .array(let values) = json else { throw refusal(expected: expected) }
        return values.enumerated().map { PayloadValue($1, key, of: parent, place: $0 + 1) }
    }
}
