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

    /// Removes and returns a text; nil where it is absent or null.
    package mutating func optional(_ key: JSONKey, _ kind: TextKind) throws(Refusal) -> String? {
        try text(key.name, kind)
    }

    /// Removes and returns a text that must be there.
    package mutating func required(_ key: JSONKey, _ kind: TextKind) throws(Refusal) -> String {
        guard let text = try optional(key, kind) else { throw missing(key.name) }
        return text
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
        let numbers = try elements(key, "an array of whole numbers", Int.expected(range)) { Int($0, in: range) }
        guard let numbers else { throw missing(key.name) }
        return numbers
    }

    /// Removes and returns an array of texts; nil where it is absent or null.
    package mutating func texts(_ key: JSONKey, _ kind: TextKind) throws(Refusal) -> [String]? {
        try elements(key, "an array of texts", kind.expected) { element in
            guard case .string(let text) = element, kind.fits(text) else { return nil }
            return text
        }
    }

    /// Removes an array, and returns what `read` makes of each element; nil where it is absent or null.
    private mutating func elements<Element>(
        _ key: JSONKey, _ expectedArray: String, _ expected: String, _ read: (JSON) -> Element?
    ) throws(Refusal) -> [Element]? {
        guard let value = remove(key.name) else { return nil }
        guard case .array(let values) = value else {
            throw refusal(key.name, found: value.found, expected: expectedArray)
        }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            guard let element = read(value) else {
                throw refusal("\(key.name)[\(index + 1)]", found: value.found, expected: expected)
            }
            elements.append(element)
        }
        return elements
    }

    /// Removes a field that must be an object, and returns its fields.
    package mutating func requiredObject(_ key: JSONKey) throws(Refusal) -> PayloadFields {
        guard let fields = try object(key.name) else { throw missing(key.name) }
        return fields
    }
}
