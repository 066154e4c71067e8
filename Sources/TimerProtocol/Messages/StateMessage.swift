public import FoundationEssentials
public import TimerEngine

/// The payload of the `state` topic: what the node does, at the moment when it was published.
///
/// Times are to the millisecond.
public struct StateMessage: Hashable, Sendable {
    /// What the timer is doing.
    public var mode: ModeName = .stopped
    /// What a paused timer was doing; nil in any other mode.
    public var pausedMode: ModeName?
    /// The whole seconds left as a display shows them: rounded up, 0 or more.
    public var remaining = 0
    /// The time left.
    public var preciseRemaining: Duration = .zero
    /// The part of `start` that has passed; 0 while added time is left above the start.
    public var elapsed: Duration = .zero
    /// The same as a fraction of `start`, 0…1.
    public var progress: Double = 0
    /// The time left as text: `42`, `1:05`.
    public var display = ""
    /// Where the run starts, in seconds.
    public var start = 0
    /// Where the warning begins, in seconds; 0 for none.
    public var warning = 0
    /// Where the final mode begins, in seconds; 0 for none.
    public var final = 0
    /// When the run started; nil while stopped.
    public var startedAt: Date?
    /// When the timer reaches zero; nil unless it runs.
    public var endsAt: Date?
    /// The time since the alarm; nil outside it.
    public var overtime: Duration?
    /// The timer that runs or is selected.
    public var timer = Timer()
    /// The group of that timer.
    public var group = Group()
    /// The timer that follows at zero; nil where the alarm does.
    public var next: TimerPath?
    /// The last run that ended; nil where there was none.
    public var last: Run?
    /// The present run; nil while stopped, and from a node that does not tell it.
    public var run: CurrentRun?
    /// What each output does.
    public var outputs = OutputStates([:])
    /// How each output goes on and off that blinks, by its name.
    public var patterns: [String: OutputPattern] = [:]
    /// When the state was made, by the node's clock.
    ///
    /// A retained state may be old: what has passed since this date has passed of its times too.
    public var date = Date.unread
    /// Who speaks in the present or the coming run; nil where nobody said.
    public var speaker: String?
    /// What is locked; nil for nothing.
    public var locked: LockLevel?
    /// The meeting that is in progress; nil where none is that is attended.
    public var meeting: Meeting?
    /// The node that this one follows; nil for a node with timers of its own.
    public var follows: String?
    /// The same moment on the clock that counts from the boot.
    public var clock = Clock()
    /// Grows by one with each state, and begins at 1 again when the process does.
    public var revision = 0

    /// The state of a node that stands at no time of no timer.
    public init() {}

    /// A timer of the model.
    public struct Timer: Hashable, Sendable {
        /// Where the timer is.
        public var path = TimerPath.unread
        /// The timer's id.
        public var id = UUID.unread
        /// The name of what runs: that of a run which is not saved, or the timer's.
        public var name = ""
        /// What the timer is for; nil where nothing is said.
        public var event: String?
        /// Where it takes place; nil where nothing is said.
        public var location: String?

        /// A timer without a name.
        public init() {}
    }

    /// A group of timers.
    public struct Group: Hashable, Sendable {
        /// The group's place, counted from 1.
        public var index = 1
        /// The group's name.
        public var name = ""
        /// How the time is shown.
        public var display: TimerGroup.Display = .numerical

        /// The first group.
        public init() {}
    }

    /// A run that ended: by a stop, by a new start or by going on to the next timer.
    public struct Run: Hashable, Sendable {
        /// The timer that ran, where it was then.
        public var timer = TimerPath.unread
        /// How long it took: pauses out, overtime in.
        public var used: Duration = .zero
        /// How much of that was overtime.
        public var over: Duration = .zero

        /// A run that took no time.
        public init() {}
    }
}

extension StateMessage: MessagePayload {
    /// The topic that it is published on.
    public static let kind = TopicKind.state

    /// The state as a JSON object.
    public var bytes: [UInt8] { json(capacity: 1024) }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension StateMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("mode", &mode, "What the timer is doing.")
        try visitor.field("paused_mode", &pausedMode, "What a paused timer was doing.")
        try visitor.field("remaining", &remaining, .shownSeconds, "The seconds left, rounded up as on a display.")
        try visitor.field("precise_remaining", &preciseRemaining, .lengths, "The seconds left, to the millisecond.")
        try visitor.field(
            "elapsed", &elapsed, .lengths, "`start` minus the time left; 0 while more than `start` is left.")
        try visitor.field("progress", &progress, 0...1, "`elapsed` as a fraction of `start`.")
        try visitor.field("display", &display, .plain, "The time left as text.")
        try visitor.field("start", &start, .timerSeconds, "Where the run starts.")
        try visitor.field("warning", &warning, .timerSeconds, "Where the warning begins; 0 for none.")
        try visitor.field("final", &final, .timerSeconds, "Where the final mode begins; 0 for none.")
        try visitor.field("started_at", &startedAt, "When the run started; null while stopped.")
        try visitor.field("ends_at", &endsAt, "When the timer reaches zero; null unless it runs.")
        try visitor.field("overtime", &overtime, .lengths, "The time since the alarm; null outside it.")
        try visitor.field("timer", &timer, "The timer that runs or is selected.")
        try visitor.field("group", &group, "The group of that timer.")
        try visitor.field("next", &next, "The timer that follows at zero; null where the alarm does.")
        try visitor.field(
            "last", &last, "The last run that ended: by a stop, a new start, or going on to the next timer.")
        try visitor.field("run", &run, "The run that is going on; null while stopped.")
        try visitor.field(
            "outputs", &outputs, "What each output does. While a fault keeps the lines from being held: off.")
        try visitor.field(
            "patterns", &patterns, .outputs(()), .omitted,
            "How each output goes on and off that blinks; absent where none does.")
        try visitor.field("speaker", &speaker, .plain, "Who speaks in the present or the coming run.")
        var lock = LockField(level: locked)
        try visitor.field("locked", &lock, .usual, "What is locked: `inputs` are buttons and remotes.")
        locked = lock.level
        try visitor.field("meeting", &meeting, "The attended meeting that is in progress.")
        try visitor.field("follows", &follows, .identifier, "The node that this one follows.")
        try visitor.field("at", &date, "When the state was made, by the node's clock.")
        try visitor.field("clock", &clock, "The same on the clock that counts from the machine's boot.")
        try visitor.field(
            "revision", &revision, .counts,
            "Grows by one with each state, and begins at 1 again when the process starts.")
    }
}

extension StateMessage.Timer: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("path", &path, "Where the timer is: its group and its place there.")
        try visitor.field("id", &id, "The timer's id.")
        try visitor.field("name", &name, .plain, "The name of what runs.")
        try visitor.field("event", &event, .plain, "What the timer is for.")
        try visitor.field("location", &location, .plain, "Where it takes place.")
    }
}

extension StateMessage.Group: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("index", &index, .places, "The group's place, counted from 1.")
        try visitor.field("name", &name, .plain, "The group's name.")
        try visitor.field("display", &display, "How the time is shown.")
    }
}

extension StateMessage.Run: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("timer", &timer, "The timer that ran.")
        try visitor.field("used", &used, .lengths, "How long it took: without pauses, with overtime.")
        try visitor.field("over", &over, .lengths, "How much of that was overtime.")
    }
}

/// A lock as the state has it: false, or what is locked.
private struct LockField: ScalarValue {
    static let expected = "false, inputs or commands"

    var level: LockLevel?

    init(level: LockLevel?) { self.level = level }

    init?(field: JSON) {
        switch field {
        case .bool(false): level = nil
        case .string(let text):
            guard let level = LockLevel(rawValue: text) else { return nil }
            self.level = level
        default: return nil
        }
    }

    func write(to writer: inout JSONWriter, _ bounds: Void) {
        if let level { writer.value(level.rawValue) } else { writer.value(false) }
    }

    static func schema(_ bounds: Void) -> JSON {
        ["enum": .array([false] + LockLevel.allCases.map { .string($0.rawValue) })]
    }
}
