package import FoundationEssentials
package import TimerEngine

/// Tells the time and waits.
package protocol NodeClock: AnyObject {
    /// The present moment.
    var now: Moment { get }

    /// Identifies this boot of the machine, which instants count from.
    var boot: String { get }

    /// Waits until a descriptor is ready or the deadline comes; it may return earlier.
    ///
    /// - Returns: the descriptors that are ready, each with what it is ready for.
    func wait(for interests: [Interest], until deadline: Instant?) -> [Interest]

    /// Leaves the processor to others for a moment, about a tenth of a millisecond.
    func letOthersRun()
}

/// What time it is, on both clocks, as one reading.
package struct Moment: Hashable, Sendable {
    /// On the monotonic clock: what all arithmetic uses.
    package let instant: Instant
    /// On the wall clock: for dates that people and other systems read.
    package let date: Date

    /// Joins one reading of each clock.
    package init(instant: Instant, date: Date) {
        self.instant = instant
        self.date = date
    }

    /// The wall-clock date of another instant, as far as this reading knows.
    package func date(of instant: Instant) -> Date {
        date.addingTimeInterval(self.instant.duration(to: instant).inSeconds)
    }
}

extension Instant? {
    /// The earlier one of two instants, where nil is never.
    package static func earliest(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}
