package import BrokerLink
package import FoundationEssentials
package import TimerEngine

/// A clock that stands still until somebody waits: then it is at the deadline at once.
package final class VirtualClock: NodeClock {
    package private(set) var now: Moment
    package var boot = "manual"
    /// Where a wait ends at the latest; nil for at its deadline alone.
    package var limit: Instant?
    /// How often it was told to rest.
    package private(set) var rests = 0

    /// A clock that shows `date` at its zero.
    package convenience init(date: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        self.init(Moment(instant: Instant(sinceEpoch: .zero), date: date))
    }

    package init(_ now: Moment) { self.now = now }

    /// Moves on.
    package func advance(by duration: Duration) {
        now = Moment(instant: now.instant + duration, date: now.date(of: now.instant + duration))
    }

    /// Somebody sets the wall clock; instants are not affected.
    package func setWallClock(by seconds: Double) {
        now = Moment(instant: now.instant, date: now.date.addingTimeInterval(seconds))
    }

    /// Counts, and takes no time.
    package func letOthersRun() { rests += 1 }

    /// Jumps to the deadline or to ``limit``; no descriptor is ever ready.
    package func wait(for interests: [Interest], until deadline: Instant?) -> [Interest] {
        guard let end = [deadline, limit].compactMap(\.self).min(), end > now.instant else { return [] }
        advance(by: now.instant.duration(to: end))
        return []
    }
}
