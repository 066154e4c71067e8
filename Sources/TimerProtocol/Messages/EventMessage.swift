public import FoundationEssentials
public import TimerEngine

/// The payload of the `event` topic: something that happened.
public struct EventMessage: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The timer changed from one mode to another. The name of the new mode is the type of the event.
        case modeChanged(from: ModeName, to: ModeName)
        /// The sequence moved on from this timer to the next one.
        case movedOn(from: TimerPath)
        /// A run ended. `used` is how long it took, excluding pauses and including overtime, and `over` is how much of
        /// that was overtime. A run under 2 s has no record.
        case runEnded(used: Duration, over: Duration, run: RunRecord? = nil)
        /// A run that had ended continues, because the command that ended it was undone. Its record is withdrawn.
        case runUndone(UUID)
        /// The runs of this group have taken as long as its budget allows.
        case budgetSpent(group: Int)
        /// A timer was edited.
        case timerEdited
        /// The lines for lamps or buttons are not held; the string says why.
        case gpioFault(String)
        /// All lines are held again.
        case gpioRecovered(String)
        /// A message to the speaker is shown.
        case message(String, attention: Bool)
        /// The message to the speaker is no longer shown.
        case messageCleared
        /// A meeting on the agenda began.
        case meetingBegan(MeetingReference)
        /// A meeting on the agenda ended.
        case meetingEnded(MeetingReference)
        /// A meeting has begun, but no run has been started; the reminders are counted from 1.
        case reminder(MeetingReference, count: Int)
    }

    /// What happened.
    public var kind: Kind = .timerEdited
    /// The timer and its remaining time at that instant.
    public var position = EventPosition()
    /// When the event was due; it may have been published some time later.
    public var date = Date.unread

    /// An edit of the first timer.
    public init() {}

    /// An event at a date.
    public init(kind: Kind, position: EventPosition, date: Date) {
        self.kind = kind
        self.position = position
        self.date = date
    }
}

/// The timer and its remaining time at the instant of an event, which may be published some time later.
public struct EventPosition: Hashable, Sendable {
    /// The selected timer. If a run ended, this is the timer that ran; if a timer was edited, it is the edited timer.
    public var timer = TimerPath.unread
    /// The whole seconds left, as a display showed them: rounded up, 0 or more.
    public var remaining = 0

    /// The first timer, with nothing left.
    public init() {}

    /// A timer and its whole seconds left.
    public init(timer: TimerPath, remaining: Int) {
        self.timer = timer
        self.remaining = remaining
    }
}

// MARK: - Fields

extension EventMessage: MessagePayload {
    /// The topic that the event is published on.
    public static let kind = TopicKind.event

    /// The event as a JSON object.
    public var bytes: [UInt8] { json() }

    /// Reads a JSON object.
    ///
    /// - Throws: A ``PayloadError`` that names the invalid field. An event type that this version does not know is also
    ///   an error.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension EventMessage: Record {
    /// The types of all events, as named in payloads.
    package static var types: [String] { ModeName.allCases.map(\.rawValue) + EventType.Other.allCases.map(\.rawValue) }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try kind.fields(&visitor)
        try visitor.field(
            "remaining", &position.remaining, .shownSeconds, "The seconds left at that instant.")
        try visitor.field("timer", &position.timer, "The timer that was selected, that ran or that was edited.")
        try visitor.field("at", &date, "When the event was due.")
    }
}

/// The type of an event, as named in payloads.
private enum EventType: ScalarValue, Equatable {
    /// A mode change is named after the new mode.
    case mode(ModeName)
    case other(Other)

    enum Other: String, CaseIterable {
        case movedOn = "transition"
        case runEnded = "run_ended"
        case runUndone = "run_undone"
        case budgetSpent = "budget_spent"
        case timerEdited = "timer_edited"
        case gpioFault = "gpio_fault"
        case gpioRecovered = "gpio_recovered"
        case message
        case messageCleared = "message_cleared"
        case meetingBegan = "meeting_began"
        case meetingEnded = "meeting_ended"
        case reminder
    }

    static var expected: String { EventMessage.types.alternatives }

    init?(field: JSON) {
        if let mode = ModeName(field: field) {
            self = .mode(mode)
        } else if case .string(let name) = field, let other = Other(rawValue: name) {
            self = .other(other)
        } else {
            return nil
        }
    }

    func write(to writer: inout JSONWriter, _ bounds: Void) {
        switch self {
        case .mode(let mode): writer.value(mode.rawValue)
        case .other(let other): writer.value(other.rawValue)
        }
    }

    static func schema(_ bounds: Void) -> JSON {
        ["type": "string", "enum": .array(EventMessage.types.map(JSON.string))]
    }
}

/// A run whose record is withdrawn.
private struct UndoneRun: Record {
    var id = UUID.unread
    var isUndone = true

    init() {}
    init(id: UUID) { self.id = id }

    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, "The id of the run.")
        try visitor.field("undone", &isUndone, "Always true.")
    }
}

extension EventMessage.Kind {
    private var type: EventType {
        switch self {
        case .modeChanged(_, let mode): .mode(mode)
        case .movedOn: .other(.movedOn)
        case .runEnded: .other(.runEnded)
        case .runUndone: .other(.runUndone)
        case .budgetSpent: .other(.budgetSpent)
        case .timerEdited: .other(.timerEdited)
        case .gpioFault: .other(.gpioFault)
        case .gpioRecovered: .other(.gpioRecovered)
        case .message: .other(.message)
        case .messageCleared: .other(.messageCleared)
        case .meetingBegan: .other(.meetingBegan)
        case .meetingEnded: .other(.meetingEnded)
        case .reminder: .other(.reminder)
        }
    }

    /// An event of a type, before its fields are read.
    private init(_ type: EventType) {
        self =
            switch type {
            case .mode(let mode): .modeChanged(from: .stopped, to: mode)
            case .other(.movedOn): .movedOn(from: .unread)
            case .other(.runEnded): .runEnded(used: .zero, over: .zero)
            case .other(.runUndone): .runUndone(.unread)
            case .other(.budgetSpent): .budgetSpent(group: 1)
            case .other(.timerEdited): .timerEdited
            case .other(.gpioFault): .gpioFault("")
            case .other(.gpioRecovered): .gpioRecovered("")
            case .other(.message): .message("", attention: false)
            case .other(.messageCleared): .messageCleared
            case .other(.meetingBegan): .meetingBegan(MeetingReference())
            case .other(.meetingEnded): .meetingEnded(MeetingReference())
            case .other(.reminder): .reminder(MeetingReference(), count: 0)
            }
    }

    /// Visits the type of the event and the fields that are specific to this kind of event.
    fileprivate mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var type = type
        try visitor.field("event_type", &type, "The new mode, or the name of another event.")
        if type != self.type { self = Self(type) }
        switch self {
        case .modeChanged(var from, let mode):
            try visitor.field("from", &from, "The previous mode.")
            self = .modeChanged(from: from, to: mode)
        case .movedOn(var from):
            try visitor.field("from", &from, "The timer that the sequence moved on from.")
            self = .movedOn(from: from)
        case .runEnded(var used, var over, var run):
            try visitor.field(
                "used", &used, .lengths, "How long the run took, excluding pauses and including overtime.")
            try visitor.field("over", &over, .lengths, "How much of that was overtime.")
            try visitor.field("run", &run, "The record; null for a run under 2 s, which is not recorded.")
            self = .runEnded(used: used, over: over, run: run)
        case .budgetSpent(var group):
            try visitor.field("group", &group, .places, "The group whose budget is spent.")
            self = .budgetSpent(group: group)
        case .runUndone(let id):
            var run = UndoneRun(id: id)
            try visitor.field("run", &run, "The run whose record is withdrawn.")
            self = .runUndone(run.id)
        case .message(var text, var attention):
            try visitor.field("text", &text, .message, "The message for the speaker.")
            try visitor.field("attention", &attention, .usual, "Whether the lamps draw attention to the message.")
            self = .message(text, attention: attention)
        case .meetingBegan(var meeting):
            try meeting.fields(&visitor)
            self = .meetingBegan(meeting)
        case .meetingEnded(var meeting):
            try meeting.fields(&visitor)
            self = .meetingEnded(meeting)
        case .reminder(var meeting, var count):
            try meeting.fields(&visitor)
            try visitor.field("count", &count, .counts, "The number of this reminder, counted from 1.")
            self = .reminder(meeting, count: count)
        case .gpioFault(var message):
            try visitor.field("message", &message, .sentence, "Why the lines are not held.")
            self = .gpioFault(message)
        case .gpioRecovered(var message):
            try visitor.field("message", &message, .sentence, "The component that works again.")
            self = .gpioRecovered(message)
        case .timerEdited, .messageCleared: break
        }
    }
}
