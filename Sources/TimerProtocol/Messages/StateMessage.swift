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
