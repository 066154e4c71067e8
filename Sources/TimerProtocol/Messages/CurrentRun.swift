public import TimerEngine

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
