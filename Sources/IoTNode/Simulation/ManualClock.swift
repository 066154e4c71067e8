public import FoundationEssentials
public import TimerEngine

/// A clock that stands still until it is told to wait: then it is at the deadline at once.
public final class VirtualClock: NodeClock {
    /// The present moment.
    public private(set) var now: Moment

    /// The boot's id.
    public var boot = "manual"

    /// A clock that shows `date` at its zero.
    public init(date: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        now = Moment(instant: TimerEngine.Instant(sinceEpoch: .zero), date: date)
    }

    /// Moves on.
    public func advance(by duration: Duration) {
        now = Moment(instant: now.instant + duration, date: now.date(of: now.instant + duration))
    }

    /// How often it was told to rest.
    public private(set) var rests = 0

    /// Counts, and takes no time.
    public func rest() { rests += 1 }

    /// Jumps to the deadline; no descriptor is ever ready.
    public func wait(for interests: [Interest], until deadline: TimerEngine.Instant?) -> [Interest] {
        if let deadline, deadline > now.instant { advance(by: now.instant.duration(to: deadline)) }
        return []
    }
}
