package import BrokerLink
package import TimerEngine

/// Limits how often each sender may do something: so many times at once, and as many more as time passes.
package struct RateLimit: Hashable, Sendable {
    /// So many senders are remembered. Those that may send as many as ever are forgotten first.
    private static let capacity = 4096

    /// What each sender has at first.
    package let limit: TokenBucket
    private var senders: [String: TokenBucket] = [:]

    /// For the commands of a session, of a token, or of a network that has neither.
    package static let commands = RateLimit(perSecond: 10, burst: 10)
    /// For the commands of a network without those of its tokens: whoever knows a PIN has as many sessions as they like.
    package static let networkCommands = RateLimit(perSecond: 30, burst: 30)
    /// For the requests of an address that has proved nothing: a hall may open the pages together.
    package static let requests = RateLimit(perSecond: 50, burst: 400)

    private init(perSecond: Double, burst: Double) { limit = TokenBucket(rate: perSecond, burst: burst) }

    /// Takes one of a sender; returns whether there was one left.
    package mutating func take(_ name: String, at now: Instant) -> Bool {
        if senders.count >= Self.capacity, senders[name] == nil {
            senders = senders.filter { !$0.value.isFull(at: now) }
            guard senders.count < Self.capacity else { return false }
        }
        return senders[name, default: limit].consume(at: now)
    }
}

/// Limits how many commands anybody sends.
package struct CommandLimits: Hashable, Sendable {
    private var senders = RateLimit.commands
    private var networks = RateLimit.networkCommands

    package init() {}

    /// Takes a command of somebody; returns whether it may be sent.
    ///
    /// - Parameter network: where it comes from, see ``IPAddress/network``.
    package mutating func take(_ identity: Identity?, from network: String, at now: Instant) -> Bool {
        guard senders.take(identity?.limitName ?? network, at: now) else { return false }
        // Nobody makes tokens but the operator of the machine.
        if case .tokens? = identity?.grant { return true }
        return networks.take(network, at: now)
    }
}

/// How many connections may be open, and for whom.
package struct ConnectionLimits: Hashable, Sendable {
    /// From one network, see ``IPAddress/network``: a hall full of displays behind one router has a few each.
    package static let perNetwork = 1000
    /// So many descriptors are for what comes and goes beside the connections, such as those to the broker and files.
    package static let otherDescriptors = 48
    /// So many connections are kept for this machine, which looks whether the server is well.
    package static let ownConnections = 16

    /// What a connection may be used for.
    package enum Purpose: Hashable, Sendable {
        case anything
        /// Health checks only: the connection has one of the last places. Behind a proxy on this machine every connection
        /// comes from here, so the address alone does not tell a health check from a client.
        case status
    }

    /// All of them.
    package let total: Int
    private var count = 0
    private var byNetwork: [String: Int] = [:]

    /// The limits of a process.
    ///
    /// - Parameters:
    ///   - descriptors: how many it may have.
    ///   - used: how many it has before the first connection. Each thread of a server has some.
    package init(descriptors: Int, used: Int) {
        total = max(descriptors - used - Self.otherDescriptors, descriptors / 2)
    }

    /// Takes a place for a connection, which has to be given back; nil if there is none.
    ///
    /// - Parameters:
    ///   - network: what it counts for; nil where it counts for nobody alone, as a proxy's.
    ///   - isOwn: whether it is from this machine.
    package mutating func take(_ network: String?, isOwn: Bool) -> Purpose? {
        let purpose: Purpose = count < total - min(Self.ownConnections, total / 4) ? .anything : .status
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
