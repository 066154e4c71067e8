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

    package func refuse(_ key: String, found: String, expected: String) throws(Refusal) {
        // It may follow from what is missing.
        guard lacks == nil else { return }
        throw refusal(key, found: found, expected: expected)
    }

    package mutating func check<Fault: Error>(
        _ key: String, _ make: () throws(Fault) -> Void
    ) throws(Refusal) {
        guard lacks == nil else { return }
        do throws(Fault) { try make() } catch {
            throw Refusal(.invalidPayload, "field \(path(key)): \(error)")
        }
    }
}
