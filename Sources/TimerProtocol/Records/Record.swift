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
