public import FoundationEssentials
public import TimerEngine

/// The payload of the `state` topic: the state of the node when the message was published.
///
/// Times are accurate to the millisecond.
public struct StateMessage: Hashable, Sendable {
    /// The mode of the timer.
    public var mode: ModeName = .stopped
    /// The mode before the pause; nil in any other mode.
    public var pausedMode: ModeName?
    /// The whole seconds left as a display shows them: rounded up, 0 or more.
    public var remaining = 0
    /// The time left.
    public var preciseRemaining: Duration = .zero
    /// The time of `start` that has elapsed; 0 while more than `start` is left.
    public var elapsed: Duration = .zero
    /// The same as a fraction of `start`, 0…1.
    public var progress: Double = 0
    /// The time left as text: `42`, `1:05`.
    public var display = ""
    /// The time from which the run counts down, in seconds.
    public var start = 0
    /// The remaining time at which the warning begins, in seconds; 0 for none.
    public var warning = 0
    /// The remaining time at which the final mode begins, in seconds; 0 for none.
    public var final = 0
    /// When the run started; nil while stopped.
    public var startedAt: Date?
    /// When the timer reaches zero; nil unless it runs.
    public var endsAt: Date?
    /// The date that the run ends at whatever happens to the clock; nil for any other run.
    public var until: Date?
    /// The time since the alarm began; nil outside the alarm.
    public var overtime: Duration?
    /// The timer that runs or is selected.
    public var timer = Timer()
    /// The group of that timer.
    public var group = Group()
    /// The timer that follows at zero; nil if the alarm follows.
    public var next: TimerPath?
    /// The last run that ended; nil if there was none.
    public var last: Run?
    /// The command that can be undone, or nil if there is none.
    public var undo: Undo?
    /// The current run; nil while stopped, or if the node does not publish it.
    public var run: CurrentRun?
    /// The state of each output.
    public var outputs = OutputStates([:])
    /// The patterns of the outputs that blink, by their names.
    public var patterns: [String: OutputPattern] = [:]
    /// When the state was created, by the node's clock.
    ///
    /// A retained state may be old: its times must be advanced by the time that has passed since this date.
    public var date = Date.unread
    /// The speaker of the current or next run; nil if not given.
    public var speaker: String?
    /// The locked inputs; nil if nothing is locked.
    public var locked: LockLevel?
    /// The attended meeting that is in progress, or nil if there is none.
    public var meeting: Meeting?
    /// The meeting that displays count down to, or nil if there is none.
    public var lead: Lead?
    /// The current entry of the running order, or nil if there is none.
    public var entry: Entry?
    /// The budget of the selected group; nil if it has none.
    public var budget: Budget?
    /// The node that this one follows; nil for a node with its own timers.
    public var follows: String?
    /// The same moment on the boot clock.
    public var clock = Clock()
    /// The revision, which grows by one with each state and starts again at 1 when the process starts.
    public var revision = 0

    /// The state of a stopped node with no time left and an unnamed timer.
    public init() {}

    /// A timer of the model.
    public struct Timer: Hashable, Sendable {
        /// The path of the timer.
        public var path = TimerPath.unread
        /// The timer's id.
        public var id = UUID.unread
        /// The name of the one-off run if there is one, otherwise of the timer.
        public var name = ""
        /// The event that is timed; nil if not given.
        public var event: String?
        /// The location; nil if not given.
        public var location: String?

        /// A timer without a name.
        public init() {}
    }

    /// A group of timers.
    public struct Group: Hashable, Sendable {
        /// The position of the group, counted from 1.
        public var index = 1
        /// The group's name.
        public var name = ""
        /// How the time is shown.
        public var display: TimerGroup.Display = .numerical

        /// The first group.
        public init() {}
    }

    /// A run that ended: by a stop, by a new start or by moving on to the next timer.
    public struct Run: Hashable, Sendable {
        /// The timer that ran, by its path at that time.
        public var timer = TimerPath.unread
        /// How long it took, excluding pauses and including overtime.
        public var used: Duration = .zero
        /// How much of that was overtime.
        public var over: Duration = .zero
        /// When it ended; nil from a node that does not publish it.
        public var endedAt: Date?

        /// A run that took no time.
        public init() {}
    }
}

extension StateMessage: MessagePayload {
    /// The topic that the state is published on.
    public static let kind = TopicKind.state

    /// The state as a JSON object.
    public var bytes: [UInt8] { json(capacity: 1024) }

    /// Reads a JSON object.
    ///
    /// - Throws: A ``PayloadError`` that names the invalid field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension StateMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("mode", &mode, "The mode of the timer.")
        try visitor.field("paused_mode", &pausedMode, "The mode before the pause.")
        try visitor.field("remaining", &remaining, .shownSeconds, "The seconds left, rounded up as on a display.")
        try visitor.field("precise_remaining", &preciseRemaining, .lengths, "The seconds left, to the millisecond.")
        try visitor.field(
            "elapsed", &elapsed, .lengths, "`start` minus the time left; 0 while more than `start` is left.")
        try visitor.field("progress", &progress, 0...1, "`elapsed` as a fraction of `start`.")
        try visitor.field("display", &display, .plain, "The time left as text.")
        try visitor.field("start", &start, .timerSeconds, "The time from which the run counts down.")
        try visitor.field(
            "warning", &warning, .timerSeconds, "The remaining time at which the warning begins; 0 for none.")
        try visitor.field(
            "final", &final, .timerSeconds, "The remaining time at which the final mode begins; 0 for none.")
        try visitor.field("started_at", &startedAt, "When the run started; null while stopped.")
        try visitor.field("ends_at", &endsAt, "When the timer reaches zero; null unless it runs.")
        try visitor.field("until", &until, "The date at which the run ends by the clock; null for any other run.")
        try visitor.field("overtime", &overtime, .lengths, "The time since the alarm began; null outside the alarm.")
        try visitor.field("timer", &timer, "The timer that runs or is selected.")
        try visitor.field("group", &group, "The group of that timer.")
        try visitor.field("next", &next, "The timer that follows at zero; null if the alarm follows.")
        try visitor.field(
            "last", &last, "The last run that ended: by a stop, a new start, or moving on to the next timer.")
        try visitor.field("undo", &undo, "The command that `undo` would undo; null if there is none.")
        try visitor.field("run", &run, "The current run; null while stopped.")
        try visitor.field(
            "outputs", &outputs,
            "The state of each output. All are off while a fault prevents the lines from being held.")
        try visitor.field(
            "patterns", &patterns, .outputs(()), .omitted,
            "How each blinking output goes on and off; absent if none blinks.")
        try visitor.field("speaker", &speaker, .plain, "The speaker of the current or next run.")
        var lock = LockField(level: locked)
        try visitor.field(
            "locked", &lock, .usual,
            "The lock: `inputs` disables buttons and remotes; `commands` disables commands, too.")
        locked = lock.level
        try visitor.field("meeting", &meeting, "The attended meeting that is in progress.")
        try visitor.field("lead", &lead, "The meeting that displays count down to.")
        try visitor.field("entry", &entry, "The current entry of the running order.")
        try visitor.field("budget", &budget, "The budget of the selected group; null if it has none.")
        try visitor.field("follows", &follows, .identifier, "The node that this one follows.")
        try visitor.field("at", &date, "When the state was created, by the node's clock.")
        try visitor.field("clock", &clock, "The same time on the machine's boot clock.")
        try visitor.field(
            "revision", &revision, .counts,
            "Grows by one with each state, and starts again at 1 when the process starts.")
    }
}

extension StateMessage.Timer: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("path", &path, "The timer's path: its group and its position in the group.")
        try visitor.field("id", &id, "The timer's id.")
        try visitor.field("name", &name, .plain, "The name of the timer or of the one-off run.")
        try visitor.field("event", &event, .plain, "The event that is timed.")
        try visitor.field("location", &location, .plain, "The location of the event.")
    }
}

extension StateMessage.Group: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("index", &index, .places, "The position of the group, counted from 1.")
        try visitor.field("name", &name, .plain, "The group's name.")
        try visitor.field("display", &display, "How the time is shown.")
    }
}

extension StateMessage.Run: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("timer", &timer, "The timer that ran.")
        try visitor.field("used", &used, .lengths, "How long it took, excluding pauses and including overtime.")
        try visitor.field("over", &over, .lengths, "How much of that was overtime.")
        try visitor.field("ended_at", &endedAt, "When it ended.")
    }
}

/// A lock in the form used by the state: false, or the inputs that are locked.
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
