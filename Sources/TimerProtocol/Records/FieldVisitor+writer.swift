extension JSONWriter: FieldVisitor {
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ bounds: Value.Bounds, _ presence: Presence, _ about: String
    ) throws(Refusal) {
        if presence == .omitted, value.isOmitted { return }
        self.key(key)
        value.write(to: &self, bounds)
    }

    package func has(_ key: String) -> Bool? { nil }

    package mutating func rest(_ members: inout [JSON.Member]) {
        for member in members {
            key(escaping: member.key)
            value(member.value)
        }
    }

    package func check(_ body: (PayloadFields) throws(Refusal) -> Void) {}

    /// Writes the fields of a record into the object that is open.
    package mutating func fields(of record: some Record) {
        var record = record
        // A writer refuses nothing.
        try? record.fields(&self)
    }
}
