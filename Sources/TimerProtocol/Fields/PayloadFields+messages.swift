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
}
