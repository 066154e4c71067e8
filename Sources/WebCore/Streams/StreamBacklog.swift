package import BrokerLink
package import TimerEngine
package import TimerProtocol

/// Everything that a stream still has to send: a position in the sequence of changes, and a few flags. There is no
/// queue, so a slow reader costs no memory and receives the current state once it reads again.
package struct StreamBacklog: Sendable {
    /// How long a stream may go without making progress.
    package static let timeout: Duration = .seconds(10)

    /// The newest change that a stream has sent.
    package struct Position: Hashable, Sendable {
        /// The newest change of a node.
        var change: Int
        /// The newest event. A stream that began with a snapshot from before its time is not sent the events since then.
        let occurrence: Int

        package init(_ change: Int) { (self.change, occurrence) = (change, change) }
    }

    /// The data to send now, in this order.
    package struct Batch: Hashable, Sendable {
        /// Whether to send a full snapshot.
        package var everything = false
        /// The position after which to send all changes; nil to send no changes.
        package var since: Position?
        /// Whether the display must show its id.
        package var identify = false
        /// Whether the display must be dark; nil for no change.
        package var blackout: Bool?
        /// The display's new name; nil for no change.
        package var name: String?
        /// Whether to send the list of displays.
        package var displays = false
        /// Whether to send a ping, which shows that the server is alive.
        package var ping = false
    }

    /// Nil before the first snapshot.
    private var position: Position?
    private var pending = Batch()
    /// When the current write began or last made progress; nil if none is in progress.
    private var writingSince: Instant?

    package init() {}

    /// Takes everything that must be sent now; nil if nothing must be sent, or if a write is still in progress.
    package mutating func take(_ snapshot: Snapshot, at now: Instant) -> Batch? {
        guard writingSince == nil else { return nil }
        if let position, snapshot.canFollow(position.change) {
            if snapshot.change > position.change { pending.since = position }
        } else {
            pending.everything = true
        }
        guard pending != Batch() else { return nil }
        defer { pending = Batch() }
        position = Position(snapshot.change)
        writingSince = now
        return pending
    }

    /// Records that the full snapshot being sent is one from an earlier change, so that the changes since then follow.
    package mutating func sends(snapshotOf change: Int) { position?.change = change }

    /// Records that a part of the write was handed to the system.
    package mutating func progressed(at now: Instant) { writingSince = now }

    /// Records that the last write was handed to the system, or turned out to be empty.
    package mutating func wrote() { writingSince = nil }

    /// Whether the client has read nothing for too long.
    package func isStuck(at now: Instant) -> Bool {
        writingSince.map { $0.duration(to: now) >= Self.timeout } ?? false
    }

    // MARK: - What to send besides the changes

    package mutating func addPing() { pending.ping = true }

    package mutating func addIdentify() { pending.identify = true }

    package mutating func addBlackout(_ isOn: Bool) { pending.blackout = isOn }

    package mutating func addName(_ name: String) { pending.name = name }

    package mutating func addDisplays() { pending.displays = true }
}

/// Events in the format of Server-Sent Events, concatenated.
package struct EventFrame: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Adds an event whose data is already encoded. Our JSON has no line breaks.
    package mutating func add(_ name: String, _ data: [UInt8]) {
        bytes += "event: \(name)\ndata: ".utf8
        bytes += data
        bytes += "\n\n".utf8
    }

    /// Adds an event whose data is an object with the members that `body` writes.
    package mutating func add(_ name: String, _ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.object(body)
        add(name, writer.bytes)
    }
}

/// Limits how many streams may be open.
package struct StreamLimits: Hashable, Sendable {
    /// The maximum number of streams.
    package var total = 2000
    /// The number of streams reserved for remotes and operators.
    package var reserved = 50
    /// The maximum number of streams from one address.
    package var perAddress = 20
    /// The maximum number of streams from one network, see ``IPAddress/network``. A hall is usually one network, and
    /// each machine in it can have any number of IPv6 addresses.
    package var perNetwork = 1000

    private var count = 0
    private var byAddress: [IPAddress?: Int] = [:]
    private var byNetwork: [String?: Int] = [:]

    package init(total: Int = 2000, reserved: Int = 50, perAddress: Int = 20, perNetwork: Int = 1000) {
        self.total = total
        self.reserved = reserved
        self.perAddress = perAddress
        self.perNetwork = perNetwork
    }

    /// Takes a slot for a stream; returns false if no slot is free. Each slot must be released later.
    ///
    /// - Parameter isShared: whether many clients have this address, as behind a proxy that does not report theirs.
    package mutating func take(_ role: Role, from client: IPAddress?, isShared: Bool = false) -> Bool {
        guard count < (role == .viewer ? total - reserved : total),
            isShared || byAddress[client, default: 0] < perAddress, byNetwork[client?.network, default: 0] < perNetwork
        else { return false }
        count += 1
        byAddress[client, default: 0] += 1
        byNetwork[client?.network, default: 0] += 1
        return true
    }

    /// Releases a slot.
    package mutating func giveBack(from client: IPAddress?) {
        count -= 1
        Self.decrement(&byAddress, client)
        Self.decrement(&byNetwork, client?.network)
    }

    private static func decrement<Key>(_ counts: inout [Key: Int], _ name: Key) {
        let left = counts[name, default: 0] - 1
        counts[name] = left > 0 ? left : nil
    }
}
