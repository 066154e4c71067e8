package import TimerEngine

/// What a stream still has to send: a position among the changes, and some flags. There is no queue, so that a slow
/// reader costs no memory and gets what is true when it can take it.
package struct StreamBacklog: Sendable {
    /// How long a stream may make no progress.
    package static let patience: Duration = .seconds(10)

    /// What to send now, in this order.
    package struct Batch: Hashable, Sendable {
        /// Whether everything is to be sent anew.
        package var everything = false
        /// The change after which the others are to be sent; nil where there are none.
        package var since: Int?
        /// Whether the display is to show which one it is.
        package var identify = false
        /// Whether the display is to be dark; nil for no change.
        package var blackout: Bool?
        /// Whether the list of displays is to be sent.
        package var displays = false
        /// Whether the server is to say that it is there.
        package var ping = false
    }

    /// The newest change that was sent; nil before the first.
    private var position: Int?
    private var pending = Batch()
    /// When the write that is on its way began, or last made progress; nil while there is none.
    private var writingSince: Instant?

    package init() {}

    /// Takes what is to be sent now; nil where that is nothing, or a write is still on its way.
    package mutating func take(_ snapshot: Snapshot, at now: Instant) -> Batch? {
        guard writingSince == nil else { return nil }
        if let position, snapshot.canFollow(position) {
            if snapshot.change > position { pending.since = position }
        } else {
            pending.everything = true
        }
        guard pending != Batch() else { return nil }
        defer { pending = Batch() }
        position = snapshot.change
        writingSince = now
        return pending
    }

    /// A part of the write has reached the system.
    package mutating func progressed(at now: Instant) { writingSince = now }

    /// The last write has reached the system, or turned out to be empty.
    package mutating func wrote() { writingSince = nil }

    /// Whether the reader has taken nothing for too long.
    package func isStuck(at now: Instant) -> Bool {
        writingSince.map { $0.duration(to: now) >= Self.patience } ?? false
    }

    // MARK: - What is to be sent besides the changes

    package mutating func addPing() { pending.ping = true }

    package mutating func addIdentify() { pending.identify = true }

    package mutating func addBlackout(_ isOn: Bool) { pending.blackout = isOn }

    package mutating func addDisplays() { pending.displays = true }
}
