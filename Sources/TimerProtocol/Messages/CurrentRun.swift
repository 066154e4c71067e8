public import TimerEngine

extension StateMessage {
    /// The run that is going on, reckoned by the node at ``StateMessage/Clock/now``. Whoever shows it counts on from there
    /// and adds up nothing.
    public struct CurrentRun: Hashable, Sendable {
        /// How long it has taken: pauses out, overtime in.
        public var used: Duration
        /// How long it was paused, the present pause included.
        public var paused: Duration
        /// How long it has to take to qualify; no rule in a one-off run.
        public var qualifying: QualifyingTime
        /// How many seconds it may be too short or too long, and qualify nevertheless.
        public var grace: Int

        /// A run that is going on.
        public init(used: Duration, paused: Duration, qualifying: QualifyingTime, grace: Int = 0) {
            self.used = used
            self.paused = paused
            self.qualifying = qualifying
            self.grace = grace
        }
    }
}

// MARK: - JSON

extension StateMessage.CurrentRun {
    func write(to writer: inout JSONWriter) {
        writer.member(.used, used)
        writer.member(.paused, paused)
        writer.member(.minimum, qualifying.minimum)
        writer.member(.maximum, qualifying.maximum)
        writer.member(.grace, grace)
    }

    init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init(
            used: try fields.required(.used, in: .lengths), paused: try fields.required(.paused, in: .lengths),
            qualifying: try fields.qualifyingTime(), grace: try fields.optional(.grace, in: .timerSeconds) ?? 0)
    }
}

extension PayloadFields {
    /// Removes `minimum` and `maximum`, and returns the rule that they are.
    mutating func qualifyingTime() throws(Refusal) -> QualifyingTime {
        let bounds = (try optional(.minimum, in: .timerSeconds), try optional(.maximum, in: .timerSeconds))
        do throws(QualifyingTimeError) {
            return try QualifyingTime(minimum: bounds.0, maximum: bounds.1)
        } catch {
            throw Refusal(.invalidPayload, "field \(path(JSONKey.minimum.name)): \(error)")
        }
    }
}
