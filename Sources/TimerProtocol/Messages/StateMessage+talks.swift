public import FoundationEssentials
public import TimerEngine

extension StateMessage {
    /// A meeting of the agenda that is in progress and attended.
    public struct Meeting: Hashable, Sendable {
        /// The meeting's name.
        public var name = ""
        /// When it began.
        public var beganAt = Date.unread
        /// When it is to end.
        public var plannedEnd = Date.unread
        /// The seconds of this and the following timers of its group; nil unless its group is selected.
        ///
        /// Whoever shows it computes the expected end, which is so long from now while the timer runs, and how far behind
        /// or ahead the meeting is; but only where the timers of the group take as long as the meeting, within a tenth.
        public var left: Int?

        /// A meeting without a name.
        public init() {}
    }

    /// What the state says on the clock that counts from the boot, which nobody sets. So a display counts without ticks.
    public struct Clock: Hashable, Sendable {
        /// When the state was made.
        public var now = BootTime()
        /// When the mode began; nil where that is not known.
        public var since: Duration?
        /// When 0 is, or was, due; nil while stopped or paused.
        public var zero: Duration?

        /// The boot of no machine.
        public init() {}
    }
}

extension StateMessage {
    /// Whether the node made this state before another one. Messages that come by several brokers overtake each other.
    ///
    /// Nobody sets the clock that counts from the boot. Where the boot has no id, nobody knows.
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
        try visitor.field("planned_end", &plannedEnd, "When it is to end.")
        try visitor.field(
            "left", &left, .groupSeconds,
            "The time of this timer and those that follow in its group; null unless the meeting's group is selected.")
    }
}

extension StateMessage.Clock: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try now.fields(&visitor)
        try visitor.field("since", &since, .instants, "When the mode began, in microseconds.")
        try visitor.field(
            "zero", &zero, .instants, "When 0 is or was due, in microseconds; null while stopped or paused.")
    }
}

extension StateMessage {
    /// The run that is going on, reckoned by the node at ``StateMessage/Clock/now``. Whoever shows it counts on from there
    /// and adds up nothing.
    public struct CurrentRun: Hashable, Sendable {
        /// How long it has taken: pauses out, overtime in.
        public var used: Duration = .zero
        /// How long it was paused, the present pause included.
        public var paused: Duration = .zero
        /// How long it has to take to qualify; no rule in a one-off run.
        public var qualifying = QualifyingTime.none
        /// How many seconds it may be too short or too long, and qualify nevertheless.
        public var grace = 0

        /// A run that has just begun, without a rule.
        public init() {}
    }
}

// MARK: - Fields

extension StateMessage.CurrentRun: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("used", &used, .lengths, "How long it has taken: without pauses, with overtime.")
        try visitor.field("paused", &paused, .lengths, "How long it was paused.")
        try qualifying.fields(&visitor)
        try visitor.field(
            "grace", &grace, .timerSeconds, .usual, "By how many seconds it may miss the rule and qualify nevertheless."
        )
    }
}

extension QualifyingTime {
    /// Visits the two bounds, as fields of the object that is open.
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var (minimum, maximum) = (minimum, maximum)
        try visitor.field("minimum", &minimum, .timerSeconds, "The shortest time that qualifies; null for none.")
        try visitor.field("maximum", &maximum, .timerSeconds, "The longest time that qualifies; null for none.")
        try visitor.check { (fields) throws(Refusal) in
            self = try fields.qualifying(minimum: minimum, maximum: maximum)
        }
    }
}

extension PayloadFields {
    /// The rule of the two bounds.
    func qualifying(minimum: Int?, maximum: Int?) throws(Refusal) -> QualifyingTime {
        do throws(QualifyingTimeError) {
            return try QualifyingTime(minimum: minimum, maximum: maximum)
        } catch {
            throw Refusal(.invalidPayload, "field \(path("minimum")): \(error)")
        }
    }
}

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

/// A meeting of the agenda, as events name it.
public struct MeetingReference: Hashable, Sendable {
    /// The meeting's name.
    public var name = ""
    /// Where it takes place; nil where nothing is said.
    public var location: String?
    /// Whether it is attended.
    public var attend = true

    /// A meeting without a name.
    public init() {}

    /// A meeting of a name.
    public init(name: String, location: String?, attend: Bool) {
        self.name = name
        self.location = location
        self.attend = attend
    }
}

extension MeetingReference: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("meeting", &name, .name, "The meeting's name.")
        try visitor.field("location", &location, .plain, "Where it takes place.")
        try visitor.field("attend", &attend, .usual, "Whether it is attended.")
    }
}
