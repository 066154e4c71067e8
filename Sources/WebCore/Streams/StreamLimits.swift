package import BrokerLink
package import TimerProtocol

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
