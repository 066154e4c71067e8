internal import TimerEngine

extension TimerEngine.Instant? {
    /// The earlier one of two instants, where nil is never.
    static func earliest(_ one: TimerEngine.Instant?, _ other: TimerEngine.Instant?) -> TimerEngine.Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}
