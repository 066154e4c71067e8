public import FoundationEssentials
public import TimerEngine

/// What time it is, on both clocks, as one reading.
public struct Moment: Hashable, Sendable {
    /// On the monotonic clock: what all arithmetic uses.
    public let instant: TimerEngine.Instant
    /// On the wall clock: for dates that people and other systems read.
    public let date: Date

    /// Joins one reading of each clock.
    public init(instant: TimerEngine.Instant, date: Date) {
        self.instant = instant
        self.date = date
    }

    /// The wall-clock date of another instant, as far as this reading knows.
    public func date(of instant: TimerEngine.Instant) -> Date {
        date.addingTimeInterval(self.instant.duration(to: instant).inSeconds)
    }
}
