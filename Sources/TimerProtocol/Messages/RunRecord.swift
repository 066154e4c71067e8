public import FoundationEssentials
public import TimerEngine

/// A run that ended, as the report has it.
public struct RunRecord: Hashable, Sendable, Identifiable {
    /// The id of the run, which was made when it started.
    public package(set) var id = UUID.unread
    /// The timer that ran, where it was then.
    public var timer = TimerPath.unread
    /// The name of what ran.
    public var name = ""
    /// The name of its group.
    public var group = ""
    /// Who spoke; nil where nobody said.
    public var speaker: String?
    /// When the run began.
    public var startedAt = Date.unread
    /// When it ended.
    public var endedAt = Date.unread
    /// How long it took: pauses out, overtime in.
    public var used: Duration = .zero
    /// How long it was paused.
    public var paused: Duration = .zero
    /// How much of the time used was overtime.
    public var over: Duration = .zero
    /// Where the run started, in seconds.
    public var start = 0
    /// The seconds that were given during the run; negative where more were taken.
    public var added = 0
    /// How long it had to take to qualify: the timer's rule, moved by ``added``.
    public var qualifying = QualifyingTime.none
    /// How many seconds it could be too short or too long, and qualify nevertheless.
    public var grace = 0
    /// Whether it qualified; nil where there was no rule.
    public var qualified: Bool?

    /// A run of which nothing is known.
    public init() {}
}

extension RunRecord {
    /// Whether it qualified only by the grace: it was too short or too long by less.
    package var isWithinGrace: Bool { qualified == true && qualifying.qualifies(used: used, grace: 0) == false }
}

// MARK: - Fields

extension RunRecord: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, "The id of the run.")
        try visitor.field("timer", &timer, "The timer that ran.")
        try visitor.field("name", &name, .plain, "The name of what ran.")
        try visitor.field("group", &group, .plain, "The name of its group.")
        try visitor.field("speaker", &speaker, .plain, "Who spoke.")
        try visitor.field("started_at", &startedAt, "When the run began.")
        try visitor.field("ended_at", &endedAt, "When it ended.")
        try visitor.field("used", &used, .lengths, "How long it took: without pauses, with overtime.")
        try visitor.field("paused", &paused, .lengths, "How long it was paused.")
        try visitor.field("over", &over, .lengths, "How much of the time used was overtime.")
        try visitor.field("start", &start, .timerSeconds, "Where the run started.")
        try visitor.field(
            "added", &added, .commandSeconds, .usual, "The seconds that were given during the run, less those taken.")
        try qualifying.fields(&visitor)
        try visitor.field(
            "grace", &grace, .timerSeconds, .usual,
            "By how many seconds it might miss the rule and qualify nevertheless.")
        try visitor.field("qualified", &qualified, "Whether it qualified; null where there was no rule.")
    }
}

/// The payload of the `runs` topic: the newest runs.
public struct RunsMessage: Hashable, Sendable {
    /// How many runs a message has at most.
    public static let length = 20

    /// The newest runs, the newest first.
    public var runs: [RunRecord] = []
    /// How many runs the node keeps.
    public var total = 0

    /// No runs.
    public init() {}

    /// The newest of so many runs.
    public init(runs: [RunRecord], total: Int) {
        self.runs = runs
        self.total = total
    }
}

extension RunsMessage: MessagePayload {
    /// The topic that it is published on.
    public static let kind = TopicKind.runs

    /// The runs as a JSON object.
    public var bytes: [UInt8] { json(capacity: 1024) }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension RunsMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("runs", &runs, ListBounds(()), "The newest runs, the newest first.")
        try visitor.field("total", &total, .counts, "How many runs the node keeps.")
    }
}

/// The report as it is saved: the oldest run is the first.
package struct RunsDocument: Record {
    package var runs: [RunRecord] = []

    package init() {}

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("runs", &runs, ListBounds(()), "The runs, the oldest first.")
    }
}
