package import BrokerLink
package import TimerEngine

/// Limits how often each sender may do something: a burst at first, then a steady rate.
package struct RateLimit: Hashable, Sendable {
    /// The maximum number of senders to remember. Senders with a full allowance are forgotten first.
    private static let capacity = 4096

    /// The allowance that each sender starts with.
    package let limit: TokenBucket
    private var senders: [String: TokenBucket] = [:]

    /// For the commands sent with one session or token, or from one network if there is neither.
    package static let commands = RateLimit(perSecond: 10, burst: 10)
    /// For the commands from one network, not counting commands sent with tokens: a client that knows a PIN can open
    /// any number of sessions.
    package static let networkCommands = RateLimit(perSecond: 30, burst: 30)
    /// For requests without credentials from one address: everybody in a hall may open the pages at once.
    package static let requests = RateLimit(perSecond: 50, burst: 400)

    private init(perSecond: Double, burst: Double) { limit = TokenBucket(rate: perSecond, burst: burst) }

    /// Uses one unit of a sender's allowance; returns false if nothing was left.
    package mutating func take(_ name: String, at now: Instant) -> Bool {
        if senders.count >= Self.capacity, senders[name] == nil {
            senders = senders.filter { !$0.value.isFull(at: now) }
            guard senders.count < Self.capacity else { return false }
        }
        return senders[name, default: limit].consume(at: now)
    }
}

/// Limits how many commands each client sends.
package struct CommandLimits: Hashable, Sendable {
    private var senders = RateLimit.commands
    private var networks = RateLimit.networkCommands

    package init() {}

    /// Counts a command from a client; returns whether it may be sent.
    ///
    /// - Parameter network: where it comes from, see ``IPAddress/network``.
    package mutating func take(_ identity: Identity?, from network: String, at now: Instant) -> Bool {
        guard senders.take(identity?.limitName ?? network, at: now) else { return false }
        // Only the administrator of the machine can create tokens.
        if case .tokens? = identity?.grant { return true }
        return networks.take(network, at: now)
    }
}

/// Limits how many connections may be open.
package struct ConnectionLimits: Hashable, Sendable {
    /// The maximum number from one network, see ``IPAddress/network``. It allows for a hall full of displays behind one
    /// router, each with a few connections.
    package static let perNetwork = 1000
    /// The number of descriptors set aside for everything except client connections, such as files and the connection
    /// to the broker.
    package static let otherDescriptors = 48
    /// The number of connections reserved for health checks from this machine.
    package static let reservedConnections = 16

    /// What a connection may be used for.
    package enum Purpose: Hashable, Sendable {
        case anything
        /// Health checks only: the connection has one of the reserved slots. Behind a proxy on this machine, every
        /// connection comes from this machine, so the address does not show whether it is a health check or a client.
        case status
    }

    /// The maximum number of connections.
    package let total: Int
    private var count = 0
    private var byNetwork: [String: Int] = [:]

    /// Computes the limits for a process.
    ///
    /// - Parameters:
    ///   - descriptors: the maximum number of descriptors that the process may have.
    ///   - used: the number that it has before the first connection. Each server thread uses a few.
    package init(descriptors: Int, used: Int) {
        total = max(descriptors - used - Self.otherDescriptors, descriptors / 2)
    }

    /// Takes a slot for a connection, which must be released later; nil if no slot is free.
    ///
    /// - Parameters:
    ///   - network: the network that the connection counts against; nil for a proxy's connection, which counts against
    ///     none.
    ///   - isOwn: whether it is from this machine.
    package mutating func take(_ network: String?, isOwn: Bool) -> Purpose? {
        let purpose: Purpose = count < total - min(Self.reservedConnections, total / 4) ? .anything : .status
        guard count < total, isOwn || purpose == .anything,
            network.map({ byNetwork[$0, default: 0] < Self.perNetwork }) ?? true
        else { return nil }
        count += 1
        if let network { byNetwork[network, default: 0] += 1 }
        return purpose
    }

    /// Releases a slot.
    package mutating func giveBack(_ network: String?) {
        count -= 1
        guard let network else { return }
        let left = byNetwork[network, default: 0] - 1
        byNetwork[network] = left > 0 ? left : nil
    }
}
