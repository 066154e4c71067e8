/// A command's payload: plain text, or the fields of a JSON object.
enum PayloadContent {
    case plain(String)
    case fields(PayloadFields)

    init(_ payload: [UInt8]) throws(Refusal) {
        // As most commands have it.
        if payload.isEmpty {
            self = .plain("")
            return
        }
        guard let text = String(validating: payload, as: UTF8.self) else {
            throw Refusal(.invalidPayload, "the payload is not valid UTF-8")
        }
        let trimmed = Self.trimmed(text)
        guard trimmed.hasPrefix("{") else {
            guard !trimmed.utf8.contains(0) else {
                throw Refusal(.invalidPayload, "found a control character (U+0000), expected a text without it")
            }
            self = .plain(trimmed)
            return
        }
        let json: JSON
        do throws(JSON.ParseError) {
            json = try JSON(parsing: payload)
        } catch {
            throw Refusal(.invalidPayload, error.description)
        }
        guard case .object(let members) = json else { throw Refusal(.invalidPayload, "expected a JSON object") }
        self = .fields(PayloadFields(members))
    }

    /// What Home Assistant, switches and buttons send when they mean "now" counts as empty.
    static func isEmpty(_ text: String) -> Bool {
        text.isEmpty || ["PRESS", "ON", "true"].contains(text)
    }

    var plainText: String {
        if case .plain(let text) = self { text } else { "" }
    }

    /// A text without the white space around it.
    static func trimmed(_ text: String) -> String {
        let blank: (Character) -> Bool = { $0.isWhitespace }
        return String(text.drop(while: blank).reversed().drop(while: blank).reversed())
    }
}
