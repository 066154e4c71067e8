public import FoundationEssentials
public import TimerEngine

extension StateMessage {
    /// An attended meeting on the agenda that is in progress.
    public struct Meeting: Hashable, Sendable {
        /// The meeting's name.
        public var name = ""
        /// When it began.
        public var beganAt = Date.unread
        /// When it is planned to end.
        public var plannedEnd = Date.unread
        /// The seconds of the current timer and the timers that follow it in the group; nil unless the meeting's group
        /// is selected.
        ///
        /// While the timer runs, a display adds it to the current time to compute the expected end, and shows whether
        /// the meeting is ahead of or behind schedule. This is meaningful only if the timers of the group take as long
        /// as the meeting, within a tenth.
        public var left: Int?

        /// A meeting without a name.
        public init() {}
    }

    /// The instants of the state on the boot clock, which is never adjusted. They allow a display to count without
    /// ticks.
    public struct Clock: Hashable, Sendable {
        /// When the state was created.
        public var now = BootTime()
        /// When the mode began; nil if unknown.
        public var since: Duration?
        /// When the time left reaches 0, or when it reached 0; nil while stopped or paused.
        public var zero: Duration?

        /// Times that are not on the clock of any machine.
        public init() {}
    }
}

extension StateMessage {
    /// Whether the node created this state before another one. Messages that arrive through several brokers may be out
    /// of order.
    ///
    /// The boot clock is never adjusted, so it orders the states. The result is false if the boot has no id.
    package func isOlder(than other: StateMessage) -> Bool {
        let (now, otherNow) = (clock.now, other.clock.now)
        guard now.boot == otherNow.boot, !now.boot.isEmpty else { return false }
        return (now.now, revision) < (otherNow.now, other.revision)
    }
}

// MARK: - Fields

extension StateMessage.Meeting: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .name, "The meeting's name.")
        try visitor.field("began_at", &beganAt, "When it began.")
        try visitor.field("planned_end", &plannedEnd, "When it is planned to end.")
        try visitor.field(
            "left", &left, .groupSeconds,
            "The time left on this timer plus the time of the timers after it in the group; null unless the meeting's group is selected."
        )
    }
}

extension StateMessage.Clock: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try now.fields(&visitor)
        try visitor.field("since", &since, .instants, "When the mode began, in microseconds.")
        try visitor.field(
            "zero", &zero, .instants,
            "When the time left reaches 0, or when it reached 0, in microseconds; null while stopped or paused.")
    }
}

extension StateMessage {
    /// The current run, as of ``StateMessage/Clock/now``. A display continues counting from there and does not have to
    /// add anything up.
    public struct CurrentRun: Hashable, Sendable {
        /// How long it has taken, excluding pauses and including overtime.
        public var used: Duration = .zero
        /// How long it has been paused, including the current pause.
        public var paused: Duration = .zero
        /// How long it has to take to qualify; a one-off run has no rule.
        public var qualifying = QualifyingTime.none
        /// The tolerance in seconds by which it may be too short or too long and still qualify.
        public var grace = 0

        /// A run that has just started, without a rule.
        public init() {}
    }
}

extension StateMessage {
    /// The current entry of the running order.
    public struct Entry: Hashable, Sendable {
        /// The id of the entry.
        public var id = ""
        /// Its position, counted from 1.
        public var number = 1
        /// The number of entries.
        public var count = 1
        /// The title.
        public var title = ""

        /// An entry without an id.
        public init() {}

        package init(id: String, number: Int, count: Int, title: String) {
            (self.id, self.number, self.count, self.title) = (id, number, count, title)
        }
    }
}

extension StateMessage.Entry: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, .entryID, "The id of the entry.")
        try visitor.field("number", &number, .places, "Its position, counted from 1.")
        try visitor.field("count", &count, .counts, "The number of entries.")
        try visitor.field("title", &title, .name, "The title.")
    }
}

extension StateMessage {
    /// A meeting that is about to begin.
    public struct Lead: Hashable, Sendable {
        /// The meeting's name.
        public var name = ""
        /// When it begins.
        public var at = Date.unread

        /// A meeting without a name.
        public init() {}

        package init(name: String, at: Date) { (self.name, self.at) = (name, at) }
    }
}

extension StateMessage.Lead: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .name, "The meeting's name.")
        try visitor.field("at", &at, "When it begins.")
    }
}

extension StateMessage {
    /// The time that all runs of a group may take together.
    public struct Budget: Hashable, Sendable {
        /// What is left of it, 0 or more.
        public var left: Duration = .zero
        /// The whole budget, in seconds.
        public var of = 0
        /// When it is spent, on the node's boot clock; nil while it is not counted down.
        public var zero: Duration?

        /// A budget of nothing.
        public init() {}
    }
}

extension StateMessage.Budget: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("left", &left, .lengths, "What is left of it.")
        try visitor.field("of", &of, .groupSeconds, "The whole budget.")
        try visitor.field(
            "zero", &zero, .instants, "When it is spent, in microseconds of `clock`; null while it is not counted down."
        )
    }
}

extension StateMessage {
    /// A command that ended, replaced or reset a run, and that can be undone.
    public struct Undo: Hashable, Sendable {
        /// The verb of the command.
        public var command = ""
        /// When it can no longer be undone.
        public var until = Date.unread

        /// No command.
        public init() {}

        package init(command: String, until: Date) { (self.command, self.until) = (command, until) }
    }
}

extension StateMessage.Undo: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("command", &command, .plain, "The verb of the command.")
        try visitor.field("until", &until, "When it can no longer be undone.")
    }
}

// MARK: - Fields

extension StateMessage.CurrentRun: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("used", &used, .lengths, "How long it has taken, excluding pauses and including overtime.")
        try visitor.field("paused", &paused, .lengths, "How long it has been paused.")
        try qualifying.fields(&visitor)
        try visitor.field(
            "grace", &grace, .timerSeconds, .usual, "The tolerance: the seconds by which it may miss the rule."
        )
    }
}

extension QualifyingTime {
    /// Visits the two bounds as fields of the current object.
    mutating func fields(_ visitor: inout some FieldVisitor, _ presence: Presence = .usual) throws(Refusal) {
        var (minimum, maximum) = (minimum, maximum)
        let none = presence == .omitted ? "absent" : "null"
        try visitor.field(
            "minimum", &minimum, .timerSeconds, presence, "The shortest time that qualifies; \(none) for none.")
        try visitor.field(
            "maximum", &maximum, .timerSeconds, presence, "The longest time that qualifies; \(none) for none.")
        try visitor.check { (fields) throws(Refusal) in
            self = try fields.qualifying(minimum: minimum, maximum: maximum)
        }
    }
}

extension PayloadFields {
    /// Returns the rule with these two bounds.
    func qualifying(minimum: Int?, maximum: Int?) throws(Refusal) -> QualifyingTime {
        do throws(QualifyingTimeError) {
            return try QualifyingTime(minimum: minimum, maximum: maximum)
        } catch {
            throw Refusal(.invalidPayload, "field \(path("minimum")): \(error)")
        }
    }
}

/// The payload of the `message` topic: the message to the speaker that is currently shown. The payload is empty if
/// there is none.
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
