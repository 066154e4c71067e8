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
