public import FoundationEssentials
public import TimerEngine

/// The payload of the `event` topic: something that happened.
public struct EventMessage: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The timer went from one mode to another, whose name is the type of the event.
        case modeChanged(from: ModeName, to: ModeName)
        /// The sequence went on from this timer to the next one.
        case movedOn(from: TimerPath)
        /// A run ended, after it had taken so long (pauses out, overtime in), and so much of that was overtime. Of a run
        /// under 2 s there is no record.
        case runEnded(used: Duration, over: Duration, run: RunRecord? = nil)
        /// A timer was edited.
        case timerEdited
        /// The lines of lamps or buttons are not held, and why.
        case gpioFault(String)
        /// All lines are held again.
        case gpioRecovered(String)
        /// A message to the speaker is shown.
        case message(String, attention: Bool)
        /// No message to the speaker is shown any more.
        case messageCleared
        /// A meeting of the agenda began.
        case meetingBegan(MeetingReference)
        /// A meeting of the agenda ended.
        case meetingEnded(MeetingReference)
        /// Nobody has started a meeting that began; the reminders are counted from 1.
        case reminder(MeetingReference, count: Int)
    }

    /// What happened.
    public var kind: Kind
    /// Where the timer stood at that instant.
    public var position: EventPosition
    /// When it was due, which may be some time before it was published.
    public var date: Date

    /// An event at a date.
    public init(kind: Kind, position: EventPosition, date: Date) {
        self.kind = kind
        self.position = position
        self.date = date
    }
}

/// Where the timer stood at the instant of an event, which may have passed some time ago.
public struct EventPosition: Hashable, Sendable {
    /// The timer that was selected; the one that ran where a run ended, the edited one where one was edited.
    public var timer: TimerPath
    /// The whole seconds that were left, as a display showed them: rounded up, 0 or more.
    public var remaining: Int

    /// A timer with so many seconds left.
    public init(timer: TimerPath, remaining: Int) {
        self.timer = timer
        self.remaining = remaining
    }
}

// MARK: - JSON

extension EventMessage: MessagePayload {
    /// The event as a JSON object.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            kind.write(to: &writer)
            writer.member(.remaining, position.remaining)
            writer.member(.timer, position.timer)
            writer.member(.at, date)
        }
        return writer.bytes
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field, also for a type of event that this version does not know.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        self = try PayloadFields.read(payload) { (fields) throws(Refusal) in
            Self(
                kind: try Kind(&fields),
                position: EventPosition(
                    timer: try fields.required(.timer), remaining: try fields.required(.remaining, in: .shownSeconds)),
                date: try fields.required(.at))
        }
    }
}

/// The types of event that are no modes, by the names that payloads have for them.
private enum EventType: String, CaseIterable {
    case movedOn = "transition"
    case runEnded = "run_ended"
    case timerEdited = "timer_edited"
    case gpioFault = "gpio_fault"
    case gpioRecovered = "gpio_recovered"
    case message
    case messageCleared = "message_cleared"
    case meetingBegan = "meeting_began"
    case meetingEnded = "meeting_ended"
    case reminder
}

extension EventMessage {
    /// The types of all events, as payloads name them.
    package static var types: [String] { ModeName.allCases.map(\.rawValue) + EventType.allCases.map(\.rawValue) }
}

extension EventMessage.Kind {
    /// The type of the event, as the payload names it.
    private var type: String {
        switch self {
        case .modeChanged(_, let mode): mode.rawValue
        case .movedOn: EventType.movedOn.rawValue
        case .runEnded: EventType.runEnded.rawValue
        case .timerEdited: EventType.timerEdited.rawValue
        case .gpioFault: EventType.gpioFault.rawValue
        case .gpioRecovered: EventType.gpioRecovered.rawValue
        case .message: EventType.message.rawValue
        case .messageCleared: EventType.messageCleared.rawValue
        case .meetingBegan: EventType.meetingBegan.rawValue
        case .meetingEnded: EventType.meetingEnded.rawValue
        case .reminder: EventType.reminder.rawValue
        }
    }

    /// Writes the type of the event, and the fields that only this kind of event has.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member(.eventType, type)
        switch self {
        case .modeChanged(let from, _):
            writer.member(.from, from.rawValue)
        case .movedOn(let from):
            writer.member(.from, from)
        case .runEnded(let used, let over, let run):
            writer.member(.used, used)
            writer.member(.over, over)
            if let run { writer.member(.run) { run.write(to: &$0) } } else { writer.member(.run, String?.none) }
        case .message(let text, let attention):
            writer.member(.text, text)
            writer.member(.attention, attention)
        case .meetingBegan(let meeting), .meetingEnded(let meeting): meeting.write(to: &writer)
        case .reminder(let meeting, let count):
            meeting.write(to: &writer)
            writer.member(.count, count)
        case .timerEdited, .messageCleared: break
        case .gpioFault(let message), .gpioRecovered(let message):
            writer.member(.message, message)
        }
    }

    fileprivate init(_ fields: inout PayloadFields) throws(Refusal) {
        let name = try fields.required(.eventType, .name)
        if let mode = ModeName(rawValue: name) {
            self = .modeChanged(from: try fields.required(.from), to: mode)
            return
        }
        switch EventType(rawValue: name) {
        case .movedOn: self = .movedOn(from: try fields.required(.from))
        case .runEnded:
            self = .runEnded(
                used: try fields.required(.used, in: .lengths), over: try fields.required(.over, in: .lengths),
                run: try fields.object(JSONKey.run.name).map { (run) throws(Refusal) in try RunRecord(run) })
        case .timerEdited: self = .timerEdited
        case .gpioFault: self = .gpioFault(try fields.required(.message, .sentence))
        case .gpioRecovered: self = .gpioRecovered(try fields.required(.message, .sentence))
        case .message:
            self = .message(try fields.required(.text, .message), attention: try fields.optional(.attention) ?? false)
        case .messageCleared: self = .messageCleared
        case .meetingBegan: self = .meetingBegan(try MeetingReference(&fields))
        case .meetingEnded: self = .meetingEnded(try MeetingReference(&fields))
        case .reminder: self = .reminder(try MeetingReference(&fields), count: try fields.required(.count, in: .counts))
        case nil:
            throw fields.refusal(
                JSONKey.eventType.name, found: name.quoted, expected: EventMessage.types.alternatives)
        }
    }
}
