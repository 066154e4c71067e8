package import TimerProtocol

/// The body of a command that came by the web.
package struct CommandBody: Hashable, Sendable {
    /// The largest body, in bytes.
    package static let largest = 64 * 1024
    /// The longest id, in bytes.
    private static let longestID = 128

    /// The fields of the payload, with an id.
    package let fields: JSON
    package let id: String

    /// Reads a body; an empty one is an object without fields.
    ///
    /// - Parameter newID: the id where the body has none.
    /// - Throws: ``PayloadError`` for what a node could not answer. All else is the node's to refuse.
    package init(_ bytes: [UInt8], newID: @autoclosure () -> String) throws(PayloadError) {
        let json: JSON
        do throws(JSON.ParseError) { json = bytes.isEmpty ? .object([]) : try JSON(parsing: bytes) } catch {
            throw PayloadError(error.description)
        }
        guard case .object(let members) = json else { throw PayloadError("found no object, expected a JSON object") }
        switch json["id"] {
        case nil, .null:
            id = newID()
            fields = .object([JSON.Member(key: "id", value: .string(id))] + members.filter { $0.key != "id" })
        case .string(let text) where (1...Self.longestID).contains(text.utf8.count):
            (id, fields) = (text, json)
        default: throw PayloadError("field \"id\": expected a string of 1 to \(Self.longestID) bytes")
        }
    }
}

extension Refusal.Code {
    /// The status of HTTP that a node's refusal becomes.
    package var httpStatus: Int {
        switch self {
        case .unknownCommand, .notFound: 404
        case .notAllowed, .conflict, .readOnly: 409
        case .payloadTooLarge: 413
        case .invalidPayload, .retained: 422
        case .locked: 423
        case .rateLimited: 429
        case .noLeader: 502
        }
    }
}
