/// How many connections may be open, and for whom.
package struct ConnectionLimits: Hashable, Sendable {
    /// From one network, see ``IPAddress/network``: a hall full of displays behind one router has a few each.
    package static let perNetwork = 1000
    /// So many descriptors are for what is no client: the broker, files, the threads of the server.
    package static let otherDescriptors = 64
    /// So many connections are kept for this machine, which looks whether the server is well.
    package static let ownConnections = 16

    /// All of them.
    package let total: Int
    private var count = 0
    private var byNetwork: [String: Int] = [:]

    /// The limits of a process that may have so many descriptors.
    package init(descriptors: Int) { total = max(descriptors - Self.otherDescriptors, descriptors / 2) }

    /// Takes a place for a connection; returns whether there was one. Each place has to be given back.
    ///
    /// - Parameters:
    ///   - network: what it counts for; nil where it counts for nobody alone, as a proxy's.
    ///   - isOwn: whether it is from this machine.
    package mutating func take(_ network: String?, isOwn: Bool) -> Bool {
        let most = isOwn ? total : total - min(Self.ownConnections, total / 4)
        guard count < most, network.map({ byNetwork[$0, default: 0] < Self.perNetwork }) ?? true else { return false }
        count += 1
        if let network { byNetwork[network, default: 0] += 1 }
        return true
    }

    /// Gives a place back.
    package mutating func giveBack(_ network: String?) {
        count -= 1
        guard let network else { return }
        let left = byNetwork[network, default: 0] - 1
        byNetwork[network] = left > 0 ? left : nil
    }
}
