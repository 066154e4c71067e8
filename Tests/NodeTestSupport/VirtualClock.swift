package import FoundationEssentials
package import IoTNode
package import TimerEngine

/// A clock that stands still until it is told to wait: then it is at the deadline at once.
package final class VirtualClock: NodeClock {
    /// The present moment.
    package private(set) var now: Moment

    /// The boot's id.
    package var boot = "manual"

    /// A clock that shows `date` at its zero.
    package init(date: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        now = Moment(instant: TimerEngine.Instant(sinceEpoch: .zero), date: date)
    }

    /// Moves on.
    package func advance(by duration: Duration) {
        now = Moment(instant: now.instant + duration, date: now.date(of: now.instant + duration))
    }

    /// How often it was told to rest.
    package private(set) var rests = 0

    /// Counts, and takes no time.
    package func rest() { rests += 1 }

    /// Jumps to the deadline; no descriptor is ever ready.
    package func wait(for interests: [Interest], until deadline: TimerEngine.Instant?) -> [Interest] {
        if let deadline, deadline > now.instant { advance(by: now.instant.duration(to: deadline)) }
        return []
    }
}
