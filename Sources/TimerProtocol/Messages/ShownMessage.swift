public import FoundationEssentials

/// The payload of the `message` topic: the message to the speaker that is shown. The topic is empty where there is none.
public struct ShownMessage: Hashable, Sendable {
    /// The text: 1 to 200 characters in up to 512 bytes.
    public var text: String
    /// When it was sent.
    public var date: Date
    /// When it ends by itself; nil where nothing is said.
    public var until: Date?
    /// Whether lamps and displays ask for attention, once and within 2 s of ``date``.
    public var attention: Bool

    /// A message sent at a date.
    public init(text: String, date: Date, until: Date? = nil, attention: Bool = false) {
        self.text = text
        self.date = date
        self.until = until
        self.attention = attention
    }
}

extension ShownMessage: MessagePayload {
    /// The message as a JSON object.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(.text, text)
            writer.member(.at, date)
            writer.member(.until, until)
            writer.member(.attention, attention)
        }
        return writer.bytes
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        self = try PayloadFields.read(payload) { (fields) throws(Refusal) in
            Self(
                text: try fields.required(.text, .message), date: try fields.required(.at),
                until: try fields.optional(.until),
                attention: try fields.optional(.attention) ?? false)
        }
    }
}
