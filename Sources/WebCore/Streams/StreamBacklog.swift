package import BrokerLink
package import TimerEngine
package import TimerProtocol

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

/// Events of a stream as Server-Sent Events have them, one after another in one run of bytes.
package struct EventFrame: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Adds an event whose data is encoded already. JSON of ours has no line breaks.
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

/// How many streams may be open, and for whom.
package struct StreamLimits: Hashable, Sendable {
    /// All of them.
    package var total = 2000
    /// Of these, how many are kept for remotes and operators.
    package var reserved = 50
    /// From one address.
    package var perAddress = 20
    /// From one network, see ``IPAddress/network``: a hall has one, and each machine in it has as many addresses of IPv6
    /// as it likes.
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

    /// Takes a place for a stream; returns whether there was one. Each place has to be given back.
    package mutating func take(_ role: Role, from client: IPAddress?) -> Bool {
        guard count < (role == .viewer ? total - reserved : total),
            byAddress[client, default: 0] < perAddress, byNetwork[client?.network, default: 0] < perNetwork
        else { return false }
        count += 1
        byAddress[client, default: 0] += 1
        byNetwork[client?.network, default: 0] += 1
        return true
    }

    /// Gives a place back.
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
