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

    /// Removes and returns a field; nil where it is absent or null.
    package mutating func optional<Value: FieldValue>(_ key: JSONKey) throws(Refusal) -> Value? {
        try optional(key.name)
    }

    /// Removes and returns a field that must be there.
    package mutating func required<Value: FieldValue>(_ key: JSONKey) throws(Refusal) -> Value {
        guard let value: Value = try optional(key) else { throw missing(key.name) }
        return value
    }

    /// Removes and returns a number; nil where it is absent or null.
    package mutating func optional<Number: FieldNumber>(
        _ key: JSONKey, in range: ClosedRange<Number>
    ) throws(Refusal) -> Number? {
        try number(key.name, in: range)
    }

    /// Removes and returns a number that must be there.
    package mutating func required<Number: FieldNumber>(
        _ key: JSONKey, in range: ClosedRange<Number>
    ) throws(Refusal) -> Number {
        guard let number = try optional(key, in: range) else { throw missing(key.name) }
        return number
    }

    /// Removes and returns an array of whole numbers that must be there.
    mutating func wholeNumbers(_ key: JSONKey, in range: ClosedRange<Int>) throws(Refusal) -> [Int] {
        guard let value = remove(key.name) else { throw missing(key.name) }
        let expected = "an array of whole numbers"
        guard case .array(let elements) = value else {
            throw refusal(key.name, found: value.found, expected: expected)
        }
        var numbers: [Int] = []
        for (index, element) in elements.enumerated() {
            guard let number = Int(element, in: range) else {
                throw refusal("\(key.name)[\(index + 1)]", found: element.found, expected: Int.expected(range))
            }
            numbers.append(number)
        }
        return numbers
    }

    /// Removes a field that must be an object, and returns its fields.
    package mutating func requiredObject(_ key: JSONKey) throws(Refusal) -> PayloadFields {
        guard let fields = try object(key.name) else { throw missing(key.name) }
        return fields
    }
}
