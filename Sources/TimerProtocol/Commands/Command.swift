public import FoundationEssentials

/// A command with its arguments, checked as far as possible without the timers.
///
/// Code that executes commands switches over all cases, so the compiler reports all code that a new verb affects.
public enum Command: Hashable, Sendable {
    /// A command that controls the timer.
    case player(PlayerCommand)
    /// A command that corrects the past.
    case correction(CorrectionCommand)
    /// A command for the lamps and the buzzer only.
    case signal(SignalCommand)
    /// A command that edits the timers.
    case model(ModelCommand)
    /// A command about the people of a talk.
    case talk(TalkCommand)
    /// A command about the report.
    case runs(RunsCommand)
    /// A command about the agenda.
    indirect case agenda(AgendaCommand)
    /// A command about the running order.
    indirect case programme(ProgrammeCommand)
    /// Publishes mode, state, timers and health again.
    case state
    /// Requests the time on the wall clock and the boot clock.
    case time
}

/// A command that controls the timer.
///
/// A selector is `2/1` (group and position, counted from 1), `2` (the first timer of that group), `2/1 Questions`, an
/// id, or a name that only one timer has.
public enum PlayerCommand: Hashable, Sendable {
    /// Selects a timer if there is a selector, and then runs from the start; `speaker` sets the speaker unless it is
    /// nil. If `began` is given, all is as if it had been started then.
    case start(selector: String?, speaker: String? = nil, began: RunBeginning? = nil)
    /// Starts a one-off run, whose times are not saved; `speaker` sets the speaker unless it is nil. If `began` is
    /// given, all is as if it had been started then.
    case startOnce(OneRun, speaker: String? = nil, began: RunBeginning? = nil)
    /// Runs until a time of day or a date, as a one-off run that follows the clock; `speaker` sets the speaker unless it
    /// is nil.
    case startUntil(ClockRun, speaker: String? = nil)
    /// Pauses and keeps the exact fraction of a second.
    case pause
    /// Continues from the point at which the timer was paused.
    case resume
    /// Stops and returns to the start, without an alarm.
    case stop
    /// Starts the alarm at once; the sequence does not continue.
    case end
    /// Plays or pauses; during the alarm it goes to the group's first timer.
    case toggle
    /// Goes to the beginning of the timer, or to the previous timer.
    case rewind
    /// Goes to the end of the timer, or to the next timer.
    case fastForward
    /// Goes to the next timer, which may be in the next group.
    case next
    /// Goes to the previous timer, which may be in the previous group.
    case previous
    /// Selects a timer and leaves it stopped.
    case select(selector: String)
    /// Pauses what runs into its account, and goes on with a timer that has one; nil for the other one of two.
    case switchTo(selector: String?)
    /// Sets the seconds left, from 0 to the timer's start.
    case set(seconds: Int)
    /// Adds seconds, or removes them if negative.
    case add(seconds: Int)
    /// Runs the timer so that the given seconds are left at a date, which may be past or future.
    case sync(seconds: Int, at: Date)

    /// The times and the name of a run that is not saved.
    public struct OneRun: Hashable, Sendable {
        /// The time from which the run counts down, in seconds: 0…86 399.
        public var duration: Int
        /// The remaining time at which the warning begins, in seconds: less than the duration; 0 for none.
        public var warning: Int
        /// The remaining time at which the final mode begins, in seconds: less than the warning; 0 for none.
        public var final: Int
        /// The name of the run: 1 to 128 bytes without control characters; nil to use the timer's name.
        public var name: String?

        /// A run with a duration in seconds.
        public init(duration: Int, warning: Int = 0, final: Int = 0, name: String? = nil) {
            self.duration = duration
            self.warning = warning
            self.final = final
            self.name = name
        }
    }
}

/// A run that ends at a time on the clock.
public struct ClockRun: Hashable, Sendable {
    /// When it ends.
    public enum End: Hashable, Sendable {
        /// The next time at which clocks in the agenda's zone show this time of day.
        case time(TimeOfDay)
        /// A date within 24 h.
        case date(Date)
    }

    /// When it ends.
    public var end: End
    /// The timer to select; nil for the selected one.
    public var selector: String?
    /// The remaining time at which the warning begins, in seconds; nil for the timer's.
    public var warning: Int?
    /// The remaining time at which the final mode begins, in seconds; nil for the timer's.
    public var final: Int?
    /// The name of the run; nil for the timer's.
    public var name: String?
    /// Whether to start it even while the node's clock may be wrong.
    public var trustsClock: Bool

    /// A run that ends at a time.
    public init(
        until end: End, selector: String? = nil, warning: Int? = nil, final: Int? = nil, name: String? = nil,
        trustsClock: Bool = false
    ) {
        self.end = end
        self.selector = selector
        self.warning = warning
        self.final = final
        self.name = name
        self.trustsClock = trustsClock
    }
}

/// When a run really began.
public enum RunBeginning: Hashable, Sendable {
    /// The maximum number of seconds by which a run can be dated back: 24 h.
    public static let longest = 86_400

    /// A number of seconds ago: 0…86 400.
    case ago(Int)
    /// At a date within the last 24 h.
    case at(Date)
    /// When the last run ended.
    case lastEnd
}

extension PlayerCommand {
    /// When the run began, if a late `start` says so.
    package var beginning: RunBeginning? {
        switch self {
        case .start(_, _, let began), .startOnce(_, _, let began): began
        default: nil
        }
    }

    /// The speaker that a `start` names.
    package var speaker: String? {
        switch self {
        case .start(_, let speaker, _), .startOnce(_, let speaker, _), .startUntil(_, let speaker): speaker
        default: nil
        }
    }
}

/// A command that corrects the past.
public enum CorrectionCommand: Hashable, Sendable {
    /// Moves the beginning of the current run. Pauses and added time stay.
    case began(RunBeginning)
    /// Brings back the run that a command ended, replaced or reset within the last 15 s.
    case undo
}

/// A command for the lamps and the buzzer only.
public enum SignalCommand: Hashable, Sendable {
    /// Mutes the buzzer until the next transition.
    case silence
    /// Sounds a pattern once, by default `beep`.
    case beep(pattern: String?)
    /// Switches on one output after another; `force` allows this while the timer runs.
    case lampTest(force: Bool)
    /// Blinks the lamps to help people find the node.
    case identify
}

/// A command that edits the timers.
public enum ModelCommand: Hashable, Sendable {
    /// Changes the timer that matches the selector, or the selected timer; refused if `revision` is given and is not
    /// the current one.
    case edit(selector: String?, Edit, revision: Int? = nil)
    /// Replaces the whole model; refused if `revision` is given and is not the current one.
    case timers(ModelDocument, revision: Int? = nil)
    /// Restores the timers in the configuration; the edits are set aside in a file.
    case reset
    /// Fills the accounts of a group, counted from 1, or all of them.
    case resetAccounts(group: Int?)

    /// The changes to a timer. A nil property stays as it is; at least one must not be nil.
    ///
    /// Times out of range are clamped.
    public struct Edit: Hashable, Sendable {
        /// The time from which a run counts down, in seconds.
        public var start: Int?
        /// The remaining time at which the warning begins, in seconds; 0 for none.
        public var warning: Int?
        /// The remaining time at which the final mode begins, in seconds; 0 for none.
        public var final: Int?
        /// The shortest time that qualifies, in seconds; 0 for none.
        public var minimum: Int?
        /// The longest time that qualifies, in seconds; 0 for none.
        public var maximum: Int?
        /// The name: 1 to 128 bytes without control characters.
        public var name: String?
        /// The event that is timed: at most 128 bytes; an empty string clears it.
        public var event: String?
        /// The location of the event: at most 128 bytes; an empty string clears it.
        public var location: String?

        /// Changes to a timer.
        public init(
            start: Int? = nil, warning: Int? = nil, final: Int? = nil, minimum: Int? = nil, maximum: Int? = nil,
            name: String? = nil, event: String? = nil, location: String? = nil
        ) {
            self.start = start
            self.warning = warning
            self.final = final
            self.minimum = minimum
            self.maximum = maximum
            self.name = name
            self.event = event
            self.location = location
        }
    }
}
