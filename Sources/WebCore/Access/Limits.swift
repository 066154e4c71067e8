package import BrokerLink
package import TimerEngine

/// Limits how often each sender may do something: a burst at once, and a steady rate after that.
package struct RateLimit: Hashable, Sendable {
    /// The number of senders that are remembered. Those with a full allowance are forgotten first.
    private static let capacity = 4096

    /// The allowance that each sender starts with.
    package let limit: TokenBucket
    private var senders: [String: TokenBucket] = [:]

    /// For the commands of a session, of a token, or of a network if there is neither.
    package static let commands = RateLimit(perSecond: 10, burst: 10)
    /// For the commands of a network, not counting those sent with tokens: a client that knows a PIN can have any
    /// number of sessions.
    package static let networkCommands = RateLimit(perSecond: 30, burst: 30)
    /// For the requests of an address without credentials: everybody in a hall may open the pages at once.
    package static let requests = RateLimit(perSecond: 50, burst: 400)

    private init(perSecond: Double, burst: Double) { limit = TokenBucket(rate: perSecond, burst: burst) }

    /// Uses one of a sender's allowance; returns false if there was none left.
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

    /// Counts a command of a client; returns whether it may be sent.
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
    /// The maximum from one network, see ``IPAddress/network``: a hall full of displays behind one router has a few
    /// each.
    package static let perNetwork = 1000
    /// The descriptors set aside for everything that comes and goes besides the connections, such as the connection to
    /// the broker and files.
    package static let otherDescriptors = 48
    /// The connections reserved for this machine, which checks the server's health.
    package static let reservedConnections = 16

    /// What a connection may be used for.
    package enum Purpose: Hashable, Sendable {
        case anything
        /// Health checks only: the connection has one of the last places. Behind a proxy on this machine every
        /// connection comes from here, so the address alone does not distinguish a health check from a client.
        case status
    }

    /// The maximum number of connections.
    package let total: Int
    private var count = 0
    private var byNetwork: [String: Int] = [:]

    /// The limits of a process.
    ///
    /// - Parameters:
    ///   - descriptors: how many descriptors it may have.
    ///   - used: how many it has before the first connection. Each thread of a server uses some.
    package init(descriptors: Int, used: Int) {
        total = max(descriptors - used - Self.otherDescriptors, descriptors / 2)
    }

    /// Takes a place for a connection, which must be given back; nil if there is none.
    ///
    /// - Parameters:
    ///   - network: the network that the connection counts against; nil if it counts against none, as a proxy's.
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

    /// Gives a place back.
    package mutating func giveBack(_ network: String?) {
        count -= 1
        guard let network else { return }
        let left = byNetwork[network, default: 0] - 1
        byNetwork[network] = left > 0 ? left : nil
    }
}
