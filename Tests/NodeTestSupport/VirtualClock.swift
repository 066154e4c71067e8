package import BrokerLink
package import FoundationEssentials
package import TimerEngine

/// A clock that stands still, and jumps to the deadline when a caller waits.
package final class VirtualClock: NodeClock {
    package private(set) var now: Moment
    package var boot = "manual"
    /// The latest time at which a wait ends; nil if only its deadline ends it.
    package var limit: Instant?
    /// How many times ``yieldBriefly()`` was called.
    package private(set) var rests = 0

    /// Creates a clock at instant zero that shows `date`.
    package convenience init(date: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        self.init(Moment(instant: Instant(sinceEpoch: .zero), date: date))
    }

    package init(_ now: Moment) { self.now = now }

    /// Advances the clock.
    package func advance(by duration: Duration) {
        now = Moment(instant: now.instant + duration, date: now.date(of: now.instant + duration))
    }

    /// Moves the wall clock by a number of seconds; instants are not affected.
    package func setWallClock(by seconds: Double) {
        now = Moment(instant: now.instant, date: now.date.addingTimeInterval(seconds))
    }

    /// Counts the call, and takes no time.
    package func yieldBriefly() { rests += 1 }

    /// Jumps to the deadline or to ``limit``; no descriptor is ever ready.
    package func wait(for interests: [Interest], until deadline: Instant?) -> [Interest] {
        guard let end = [deadline, limit].compactMap(\.self).min(), end > now.instant else { return [] }
        advance(by: now.instant.duration(to: end))
        return []
    }
}
