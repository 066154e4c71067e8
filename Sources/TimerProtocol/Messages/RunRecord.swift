public import FoundationEssentials
public import TimerEngine

/// A run that ended, as an entry of the report.
public struct RunRecord: Hashable, Sendable, Identifiable {
    /// The id of the run, generated when it started.
    public package(set) var id = UUID.unread
    /// The timer that ran, by its path at that time.
    public var timer = TimerPath.unread
    /// The name of the timer or of the one-off run.
    public var name = ""
    /// The name of its group.
    public var group = ""
    /// The speaker; nil if not given.
    public var speaker: String?
    /// When the run began.
    public var startedAt = Date.unread
    /// When it ended.
    public var endedAt = Date.unread
    /// How long it took, excluding pauses and including overtime.
    public var used: Duration = .zero
    /// How long it took according to the node, if ``used`` was corrected; nil otherwise.
    public var measured: Duration?
    /// How long all runs on the timer's account had taken, with this one; nil for a timer without an account.
    public var total: Duration?
    /// How long it was paused.
    public var paused: Duration = .zero
    /// How much of the time used was overtime.
    public var over: Duration = .zero
    /// The time from which the run counted down, in seconds.
    public var start = 0
    /// The seconds that were added during the run; negative if more were removed.
    public var added = 0
    /// How long it had to take to qualify: the timer's rule, shifted by ``added``.
    public var qualifying = QualifyingTime.none
    /// The tolerance in seconds by which it could be too short or too long and still qualify.
    public var grace = 0
    /// Whether it qualified; nil if there was no rule.
    public var qualified: Bool?
    /// The id of the entry of the running order that it belonged to; nil if it belonged to none.
    public var entry: String?
    /// The title of that entry.
    public var title: String?
    /// When that entry was planned to begin, as of the end of the run; nil without a plan.
    public var planned: Date?

    /// A run with no known details.
    public init() {}
}

extension RunRecord {
    /// Whether it qualified only because of the grace: it was too short or too long, but within the grace.
    package var qualifiedByGrace: Bool { qualified == true && qualifying.qualifies(used: used, grace: 0) == false }

    /// Corrects the speaker and the time. Overtime and qualification follow the time; the measured time is kept, and
    /// correcting the time back to it undoes the correction.
    package mutating func amend(_ change: RunAmendment) {
        if let speaker = change.speaker { self.speaker = speaker.isEmpty ? nil : speaker }
        guard let seconds = change.used else { return }
        let own = measured ?? used
        let isOwn = own.wholeSeconds == seconds
        (used, measured) = isOwn ? (own, nil) : (.seconds(seconds), own)
        over = max(.zero, used - .seconds(start + added))
        qualified = qualifying.qualifies(used: used, grace: grace)
    }
}

// MARK: - Fields

extension RunRecord: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, "The id of the run.")
        try visitor.field("timer", &timer, "The timer that ran.")
        try visitor.field("name", &name, .plain, "The name of the timer or of the one-off run.")
        try visitor.field("group", &group, .plain, "The name of its group.")
        try visitor.field("speaker", &speaker, .plain, "The speaker.")
        try visitor.field("started_at", &startedAt, "When the run began.")
        try visitor.field("ended_at", &endedAt, "When it ended.")
        try visitor.field("used", &used, .lengths, "How long it took, excluding pauses and including overtime.")
        try visitor.field(
            "measured", &measured, .lengths, .omitted, "How long it took by the node's clock, if `used` was corrected.")
        try visitor.field(
            "total", &total, .lengths, .omitted, "How long all runs on the timer's account had taken, with this one.")
        try visitor.field("paused", &paused, .lengths, "How long it was paused.")
        try visitor.field("over", &over, .lengths, "How much of the time used was overtime.")
        try visitor.field("start", &start, .timerSeconds, "The time from which the run counted down.")
        try visitor.field(
            "added", &added, .commandSeconds, .usual, "The seconds added during the run, minus the seconds removed.")
        try qualifying.fields(&visitor)
        try visitor.field(
            "grace", &grace, .timerSeconds, .usual,
            "The tolerance: the seconds by which it could miss the rule.")
        try visitor.field("qualified", &qualified, "Whether it qualified; null if there was no rule.")
        try visitor.field("entry", &entry, .entryID, .omitted, "The id of its entry in the running order.")
        try visitor.field("title", &title, .name, .omitted, "The title of that entry.")
        try visitor.field("planned", &planned, .omitted, "When that entry was planned to begin.")
    }
}

/// The payload of the `runs` topic: the newest runs.
public struct RunsMessage: Hashable, Sendable {
    /// The maximum number of runs in a message.
    public static let length = 20

    /// The newest runs, the newest first.
    public var runs: [RunRecord] = []
    /// How many runs the node keeps.
    public var total = 0

    /// No runs.
    public init() {}

    /// The newest runs, and the total number of runs.
    public init(runs: [RunRecord], total: Int) {
        self.runs = runs
        self.total = total
    }
}

extension RunsMessage: MessagePayload {
    /// The topic that the runs are published on.
    public static let kind = TopicKind.runs

    /// The runs as a JSON object.
    public var bytes: [UInt8] { json(capacity: 1024) }

    /// Reads a JSON object.
    ///
    /// - Throws: A ``PayloadError`` that names the invalid field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension RunsMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("runs", &runs, ListBounds(()), "The newest runs, the newest first.")
        try visitor.field("total", &total, .counts, "How many runs the node keeps.")
    }
}

/// The report as it is saved, with the oldest run first.
package struct RunsDocument: Record {
    package var runs: [RunRecord] = []

    package init() {}

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("runs", &runs, ListBounds(()), "The runs, the oldest first.")
    }
}
