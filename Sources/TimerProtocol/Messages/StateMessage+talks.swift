public import FoundationEssentials

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
        guard let now = clock?.now, let otherNow = other.clock?.now, now.boot == otherNow.boot, !now.boot.isEmpty else {
            return false
        }
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
