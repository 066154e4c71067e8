/// Collects the fields of a record, with the schema of each.
package struct SchemaCollector: FieldVisitor {
    package struct Field {
        package let key: String
        /// The JSON Schema of the field.
        package let schema: JSON
        package let presence: Presence
        /// The meaning of the field.
        package let about: String
    }

    package private(set) var fields: [Field] = []

    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ bounds: Value.Bounds, _ presence: Presence, _ about: String
    ) throws(Refusal) {
        let schema = Value.schema(bounds)
        fields.append(
            // A nil value is omitted, so it is never null.
            Field(key: key, schema: presence == .omitted ? schema.orAbsent : schema, presence: presence, about: about))
    }

    package func has(_ key: String) -> Bool? { nil }

    package func rest(_ members: inout [JSON.Member]) {}

    package func check(_ body: (PayloadFields) throws(Refusal) -> Void) {}

    /// The fields of a record.
    package static func fields(of type: (some Record).Type) -> [Field] {
        var (collector, record) = (Self(), type.init())
        // A collector never throws.
        try? record.fields(&collector)
        return collector.fields
    }

    /// Returns the schema of the object that encodes a record.
    package static func schema(of type: (some Record).Type) -> JSON {
        let fields = fields(of: type)
        return [
            "type": "object",
            "properties": .object(
                fields.map { field in
                    guard case .object(let members) = field.schema else {
                        return .init(key: field.key, value: field.schema)
                    }
                    let about = JSON.Member(key: "description", value: .string(field.about))
                    return .init(key: field.key, value: .object(members.filter { $0.key != "description" } + [about]))
                }),
            "required": .array(fields.filter { $0.presence == .required }.map { .string($0.key) }),
        ]
    }
}

extension JSON {
    /// The same schema, but allowing null.
    var orNull: JSON {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                switch (member.key, member.value) {
                case ("type", .string): .init(key: "type", value: [member.value, "null"])
                case ("enum", .array(let values)): .init(key: "enum", value: .array(values + [nil]))
                default: member
                }
            })
    }

    /// The inverse of ``orNull``, for a value that is omitted if it is nil.
    fileprivate var orAbsent: JSON {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                guard case .array(let values) = member.value, values.last == .null || values.last == "null" else {
                    return member
                }
                return .init(key: member.key, value: member.key == "type" ? values[0] : .array(values.dropLast()))
            })
    }
}
