extension PayloadFields: FieldVisitor {
    package mutating func field<Value: FieldValue>(
        _ key: String, _ value: inout Value, _ bounds: Value.Bounds, _ presence: Presence, _ about: String
    ) throws(Refusal) {
        guard let json = remove(key) else {
            if presence == .required { try lack(key) }
            return
        }
        value = try Value.read(PayloadValue(json, key, of: self), bounds)
    }

    package func check(_ body: (PayloadFields) throws(Refusal) -> Void) throws(Refusal) {
        guard lacks == nil else { return }
        try body(self)
    }

    package mutating func rest(_ members: inout [JSON.Member]) { members = removeAll() }
}
