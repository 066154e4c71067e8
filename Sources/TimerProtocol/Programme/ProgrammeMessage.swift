public import FoundationEssentials

/// The payload of the `programme` topic: the running order, with what has happened and what is expected. The payload is
/// empty if there is none.
public struct ProgrammeMessage: Hashable, Sendable {
    /// The revision, which grows by one with each change of the running order.
    public var revision = 0
    /// The id of the current entry; nil if none has been begun.
    public var current: String?
    /// When the message was created.
    ///
    /// While the timer does not run, everything that is still expected moves on with the time since then.
    public var date = Date.unread
    /// The entries in their order.
    public var entries: [Entry] = []

    /// An empty running order.
    public init() {}

    /// An entry, with what has happened and what is expected.
    public struct Entry: Hashable, Sendable {
        /// The entry, in the form that the command `programme` accepts.
        public var entry = Programme.Entry()
        /// What has happened to it.
        public var state = State.coming
        /// When it was planned to begin; nil if no entry has a planned time.
        public var planned: Date?
        /// When it began, or when it is expected to begin; nil if it was skipped.
        public var expected: Date?
        /// How long it has taken; nil if it has not been run.
        public var used: Duration?

        /// An entry that is coming.
        public init() {}
    }

    /// What has happened to an entry.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// It has not been begun.
        case coming
        /// It is the one that is timed now, or that is next to be timed.
        case current
        /// It is over.
        case done
        /// It is left out.
        case skipped
    }
}

extension ProgrammeMessage {
    /// The running order, in the form that the command `programme` accepts.
    public var programme: Programme { Programme(entries: entries.map(\.entry)) }
}

// MARK: - Fields

extension ProgrammeMessage: MessagePayload {
    /// The topic that the running order is published on.
    public static let kind = TopicKind.programme

    /// The running order as a JSON object.
    public var bytes: [UInt8] { json(capacity: 64 + 256 * entries.count) }

    /// Reads a JSON object.
    ///
    /// - Throws: A ``PayloadError`` that names the invalid field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension ProgrammeMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("revision", &revision, .counts, "Grows by one with each change of the running order.")
        try visitor.field("current", &current, .entryID, "The id of the current entry; null before the first one.")
        try visitor.field(
            "at", &date, "When the message was created. While the timer does not run, `expected` moves on from there.")
        try visitor.field("entries", &entries, ListBounds(()), "The entries in their order.")
    }
}

extension ProgrammeMessage.Entry: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try entry.fields(&visitor)
        try visitor.field("state", &state, "What has happened to it.")
        try visitor.field("planned", &planned, "When it was planned to begin; null if no entry has a planned time.")
        try visitor.field("expected", &expected, "When it began, or is expected to begin; null if it was skipped.")
        try visitor.field("used", &used, .lengths, "How long it has taken; null if it has not been run.")
    }
}

extension ProgrammeMessage.State: ScalarValue {}
