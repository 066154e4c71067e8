public import FoundationEssentials

/// The payload of the `message` topic: the message to the speaker that is shown. The topic is empty where there is none.
public struct ShownMessage: Hashable, Sendable {
    /// The text: 1 to 200 characters in up to 512 bytes.
    public var text = ""
    /// When it was sent.
    public var date = Date.unread
    /// When it ends by itself; nil where nothing is said.
    public var until: Date?
    /// Whether lamps and displays ask for attention, once and within 2 s of ``date``.
    public var attention = false

    /// No text.
    public init() {}

    /// A message sent at a date.
    public init(text: String, date: Date, until: Date? = nil, attention: Bool = false) {
        self.text = text
        self.date = date
        self.until = until
        self.attention = attention
    }
}

extension ShownMessage: MessagePayload {
    /// The topic that it is published on.
    public static let kind = TopicKind.message

    /// The message as a JSON object.
    public var bytes: [UInt8] { json() }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension ShownMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("text", &text, .message, "What the speaker is to read.")
        try visitor.field("at", &date, "When it was sent.")
        try visitor.field("until", &until, "When it ends by itself; null where nothing is said.")
        try visitor.field("attention", &attention, .usual, "Whether the lamps ask for attention once when it comes.")
    }
}
