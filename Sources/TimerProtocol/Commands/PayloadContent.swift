/// A command's payload: plain text, or the fields of a JSON object.
package enum PayloadContent {
    /// Without the white space around it.
    case text(String)
    case object(PayloadFields)

    package init(_ payload: [UInt8]) throws(Refusal) {
        // Most commands have an empty payload, which needs no further work.
        if payload.isEmpty {
            self = .text("")
            return
        }
        guard let text = String(validating: payload, as: UTF8.self) else {
            throw Refusal(.invalidPayload, "the payload is not valid UTF-8")
        }
        guard text.first(where: { !$0.isWhitespace }) == "{" else {
            let trimmed = Self.trimmed(text)
            guard !trimmed.utf8.contains(0) else {
                throw Refusal(.invalidPayload, "found a control character (U+0000), expected a text without it")
            }
            self = .text(trimmed)
            return
        }
        let json: JSON
        do throws(JSON.ParseError) {
            json = try JSON(parsing: payload)
        } catch {
            throw Refusal(.invalidPayload, error.description)
        }
        guard case .object(let members) = json else { throw Refusal(.invalidPayload, "expected a JSON object") }
        self = .object(PayloadFields(members))
    }

    /// The text without the white space around it.
    package static func trimmed(_ text: String) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

extension Verb {
    /// What a plain text means to a command.
    package enum PlainText: Sendable {
        /// Nothing but ``isEmpty(_:)`` is taken.
        case nothing
        /// It stands for a field, and may be empty.
        case optional(String)
        /// It stands for a field that is required. `needs` completes the refusal of an empty text.
        case required(String, needs: String? = nil)
        /// The command needs an object.
        case refused
    }

    /// Home Assistant, switches and buttons send these words when they mean "now": they count as empty.
    private static func isEmpty(_ text: String) -> Bool { text.isEmpty || ["PRESS", "ON", "true"].contains(text) }

    /// The fields that a plain text stands for.
    func fields(of text: String) throws(Refusal) -> PayloadFields {
        switch rules.plainText {
        case .nothing where Self.isEmpty(text), .optional where Self.isEmpty(text): return PayloadFields([])
        case .nothing where self == .lampTest, .refused:
            throw Refusal(.invalidPayload, "\(rawValue) needs a JSON object")
        case .nothing: throw Refusal(.invalidPayload, "\(rawValue) takes nothing; found \(text.quoted)")
        case .required(_, let needs?) where text.isEmpty:
            throw Refusal(.invalidPayload, "\(rawValue) needs \(needs)")
        case .optional(let key), .required(let key, _): return PayloadFields(plain: text, for: key)
        }
    }
}
