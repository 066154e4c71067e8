public import FoundationEssentials
public import TimerEngine

/// The payload of the `state` topic: what the node does, at the moment when it was published.
///
/// Times are to the millisecond.
public struct StateMessage: Hashable, Sendable {
    /// What the timer is doing.
    public var mode: ModeName
    /// What a paused timer was doing; nil in any other mode.
    public var pausedMode: ModeName?
    /// The whole seconds left as a display shows them: rounded up, 0 or more.
    public var remaining: Int
    /// The time left.
    public var preciseRemaining: Duration
    /// The part of `start` that has passed; 0 while added time is left above the start.
    public var elapsed: Duration
    /// The same as a fraction of `start`, 0…1.
    public var progress: Double
    /// The time left as text: `42`, `1:05`.
    public var display: String
    /// Where the run starts, in seconds.
    public var start: Int
    /// Where the warning begins, in seconds; 0 for none.
    public var warning: Int
    /// Where the final mode begins, in seconds; 0 for none.
    public var final: Int
    /// When the run started; nil while stopped.
    public var startedAt: Date?
    /// When the timer reaches zero; nil unless it runs.
    public var endsAt: Date?
    /// The time since the alarm; nil outside it.
    public var overtime: Duration?
    /// The timer that runs or is selected.
    public var timer: Timer
    /// The group of that timer.
    public var group: Group
    /// The timer that follows at zero; nil where the alarm does.
    public var next: TimerPath?
    /// The last run that ended; nil where there was none.
    public var last: Run?
    /// The present run; nil while stopped, and from a node that does not tell it.
    public var run: CurrentRun?
    /// What each output does.
    public var outputs: OutputStates
    /// How each output goes on and off that blinks, by its name.
    public var patterns: [String: OutputPattern]
    /// When the state was made, by the node's clock; nil from a node of version 0.1.0.
    ///
    /// A retained state may be old: what has passed since this date has passed of its times too.
    public var date: Date?
    /// Who speaks in the present or the coming run; nil where nobody said.
    public var speaker: String?
    /// What is locked; nil for nothing.
    public var locked: LockLevel?
    /// The meeting that is in progress; nil where none is that is attended.
    public var meeting: Meeting?
    /// The node that this one follows; nil for a node with timers of its own.
    public var follows: String?
    /// The same moment on the clock that counts from the boot; nil from a node of version 0.1.0.
    public var clock: Clock?
    /// Grows by one with each state, and begins at 1 again when the process does.
    public var revision: Int

    /// A timer of the model.
    public struct Timer: Hashable, Sendable {
        /// Where the timer is.
        public var path: TimerPath
        /// The timer's id.
        public var id: UUID
        /// The name of what runs: that of a run which is not saved, or the timer's.
        public var name: String
        /// What the timer is for; nil where nothing is said.
        public var event: String?
        /// Where it takes place; nil where nothing is said.
        public var location: String?

        /// A timer at a path.
        public init(path: TimerPath, id: UUID, name: String, event: String? = nil, location: String? = nil) {
            self.path = path
            self.id = id
            self.name = name
            self.event = event
            self.location = location
        }
    }

    /// A group of timers.
    public struct Group: Hashable, Sendable {
        /// The group's place, counted from 1.
        public var index: Int
        /// The group's name.
        public var name: String
        /// How the time is shown.
        public var display: TimerGroup.Display

        /// A group at a place, counted from 1.
        public init(index: Int, name: String, display: TimerGroup.Display) {
            self.index = index
            self.name = name
            self.display = display
        }
    }

    /// A run that ended: by a stop, by a new start or by going on to the next timer.
    public struct Run: Hashable, Sendable {
        /// The timer that ran, where it was then.
        public var timer: TimerPath
        /// How long it took: pauses out, overtime in.
        public var used: Duration
        /// How much of that was overtime.
        public var over: Duration

        /// A run of a timer.
        public init(timer: TimerPath, used: Duration, over: Duration) {
            self.timer = timer
            self.used = used
            self.over = over
        }
    }

    /// A state with all its fields.
    public init(
        mode: ModeName, pausedMode: ModeName?, remaining: Int, preciseRemaining: Duration, elapsed: Duration,
        progress: Double, display: String, start: Int, warning: Int, final: Int, startedAt: Date?, endsAt: Date?,
        overtime: Duration?, timer: Timer, group: Group, next: TimerPath?, last: Run?, run: CurrentRun? = nil,
        outputs: OutputStates,
        patterns: [String: OutputPattern] = [:],
        date: Date?, speaker: String? = nil, locked: LockLevel? = nil, meeting: Meeting? = nil, follows: String? = nil,
        clock: Clock? = nil, revision: Int
    ) {
        self.mode = mode
        self.pausedMode = pausedMode
        self.remaining = remaining
        self.preciseRemaining = preciseRemaining
        self.elapsed = elapsed
        self.progress = progress
        self.display = display
        self.start = start
        self.warning = warning
        self.final = final
        self.startedAt = startedAt
        self.endsAt = endsAt
        self.overtime = overtime
        self.timer = timer
        self.group = group
        self.next = next
        self.last = last
        self.run = run
        self.outputs = outputs
        self.patterns = patterns
        self.date = date
        self.speaker = speaker
        self.locked = locked
        self.meeting = meeting
        self.follows = follows
        self.clock = clock
        self.revision = revision
    }
}
