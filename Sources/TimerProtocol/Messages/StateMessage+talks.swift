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

    /// Whether the response to a request for the time shows that the node has changed its timer since this state. The
    /// newer state was lost, for example between the servers of a cluster that was partitioned.
    package func isOutdated(by response: Response) -> Bool {
        guard case .ok(let mode, let remaining) = response.outcome, case .time(_, let then)? = response.details,
            then.boot == clock.now.boot, then.now > clock.now.now
        else { return false }
        guard let zero = clock.zero else { return mode != self.mode || remaining != self.remaining }
        // The displayed seconds are rounded up. In the alarm, they are 0.
        let left = max(0, Int((zero - then.now).components.seconds))
        return !(mode.isRunning || mode == .alarm) || abs(remaining - left) > 1
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
