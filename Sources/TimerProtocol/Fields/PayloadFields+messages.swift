// How published payloads are read: by the keys that write them, and without a word about fields that are unknown.
extension PayloadFields {
    /// Reads a payload that is a JSON object.
    ///
    /// - Parameter message: makes the value of the object's fields.
    package static func read<Message>(
        _ payload: [UInt8], _ message: (inout PayloadFields) throws(Refusal) -> Message
    ) throws(PayloadError) -> Message {
        let json: JSON
        do throws(JSON.ParseError) {
            json = try JSON(parsing: payload)
        } catch {
            throw PayloadError(error.description)
        }
        guard case .object(let members) = json else {
            throw PayloadError("found \(json.found), expected a JSON object")
        }
        var fields = PayloadFields(members, ignoresUnknown: true)
        do throws(Refusal) {
            return try message(&fields)
        } catch {
            throw PayloadError(error.message)
        }
    }

    /// Removes and returns a field that must be there.
    package mutating func required<Value: ScalarValue>(_ key: String) throws(Refusal) -> Value {
        guard let value: Value = try optional(key) else { throw missing(key) }
        return value
    }

    /// Removes and returns a text; nil where it is absent or null.
    package mutating func optional(_ key: String, _ kind: TextKind) throws(Refusal) -> String? {
        try text(key, kind)
    }

    /// Removes and returns a text that must be there.
    package mutating func required(_ key: String, _ kind: TextKind) throws(Refusal) -> String {
        guard let text = try optional(key, kind) else { throw missing(key) }
        return text
    }

    /// Removes and returns a number; nil where it is absent or null.
    package mutating func optional<Number: FieldNumber>(
        _ key: String, in range: ClosedRange<Number>
    ) throws(Refusal) -> Number? {
        try number(key, in: range)
    }

}
