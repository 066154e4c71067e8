/// A command's payload: plain text, or the fields of a JSON object.
package struct PayloadContent {
    /// The plain text that is not read yet; nil for an object.
    private var text: String?
    /// The fields of the object; none for a plain text.
    package var fields = PayloadFields([])

    package init(_ payload: [UInt8]) throws(Refusal) {
        // Most commands have an empty payload, which needs no further work.
        if payload.isEmpty {
            text = ""
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
            self.text = trimmed
            return
        }
        let json: JSON
        do throws(JSON.ParseError) {
            json = try JSON(parsing: payload)
        } catch {
            throw Refusal(.invalidPayload, error.description)
        }
        guard case .object(let members) = json else { throw Refusal(.invalidPayload, "expected a JSON object") }
        fields = PayloadFields(members)
    }

    /// Home Assistant, switches and buttons send these words when they mean "now": they count as empty.
    package static func isEmpty(_ text: String) -> Bool {
        text.isEmpty || ["PRESS", "ON", "true"].contains(text)
    }

    /// The text without the white space around it.
    package static func trimmed(_ text: String) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    var isPlain: Bool { text != nil }

    /// Reads the plain text; nil for an object.
    mutating func consumeText() -> String? {
        guard let text else { return nil }
        self.text = ""
        return text
    }

    /// Reads an argument that may be missing: the plain text, or a field of the object.
    mutating func optionalArgument(_ key: String) throws(Refusal) -> String? {
        guard let text = consumeText() else { return try fields.text(key, .plain) }
        return Self.isEmpty(text) ? nil : text
    }

    /// The fields of the object; a plain text is refused.
    func object(for verb: Verb) throws(Refusal) -> PayloadFields {
        if isPlain { throw Self.needsObject(verb) }
        return fields
    }

    static func needsObject(_ verb: Verb) -> Refusal {
        Refusal(.invalidPayload, "\(verb.rawValue) needs a JSON object")
    }

    /// Refuses whatever has not been read.
    func finish(_ verb: Verb) throws(Refusal) {
        guard let text else { return try fields.finish() }
        guard Self.isEmpty(text) else {
            throw Refusal(.invalidPayload, "\(verb.rawValue) takes nothing; found \(text.quoted)")
        }
    }
}
