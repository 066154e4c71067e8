public import FoundationEssentials

/// The payload of the `message` topic: the message to the speaker. An empty payload means that none is shown.
public struct ShownMessage: Hashable, Sendable {
    /// The message: 1 to 200 characters in up to 512 bytes.
    public var text = ""
    /// When it was sent.
    public var date = Date.unread
    /// When it disappears on its own; nil if no time is set.
    public var until: Date?
    /// Whether lamps and displays draw attention to the message, once and only within 2 s of ``date``.
    public var attention = false

    /// A message without text.
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
    /// The topic that the message is published on.
    public static let kind = TopicKind.message

    /// The message as a JSON object.
    public var bytes: [UInt8] { json() }

    /// Reads a JSON object.
    ///
    /// - Throws: A ``PayloadError`` that names the invalid field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension ShownMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("text", &text, .message, "The message for the speaker.")
        try visitor.field("at", &date, "When it was sent.")
        try visitor.field("until", &until, "When it disappears on its own; null if no time is set.")
        try visitor.field("attention", &attention, .usual, "Whether the lamps draw attention to it once.")
    }
}

/// A meeting on the agenda, as it appears in events.
public struct MeetingReference: Hashable, Sendable {
    /// The meeting's name.
    public var name = ""
    /// The location; nil if not given.
    public var location: String?
    /// Whether the meeting is attended.
    public var attend = true

    /// A meeting without a name.
    public init() {}

    /// A meeting with a name.
    public init(name: String, location: String?, attend: Bool) {
        self.name = name
        self.location = location
        self.attend = attend
    }
}

extension MeetingReference: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("meeting", &name, .name, "The meeting's name.")
        try visitor.field("location", &location, .plain, "The location of the meeting.")
        try visitor.field("attend", &attend, .usual, "Whether the meeting is attended.")
    }
}
