/// How many streams may be open, and for whom.
package struct StreamLimits: Hashable, Sendable {
    /// All of them.
    package var total = 2000
    /// Of these, how many are kept for remotes and operators.
    package var reserved = 50
    /// From one address.
    package var perAddress = 20

    private var count = 0
    private var byAddress: [String: Int] = [:]

    package init(total: Int = 2000, reserved: Int = 50, perAddress: Int = 20) {
        self.total = total
        self.reserved = reserved
        self.perAddress = perAddress
    }

    /// Takes a place for a stream; returns whether there was one. Each place has to be given back.
    package mutating func take(_ role: WebRole, from address: String) -> Bool {
        guard count < (role == .viewer ? total - reserved : total), byAddress[address, default: 0] < perAddress else {
            return false
        }
        count += 1
        byAddress[address, default: 0] += 1
        return true
    }

    /// Gives a place back.
    package mutating func giveBack(from address: String) {
        count -= 1
        let left = byAddress[address, default: 0] - 1
        byAddress[address] = left > 0 ? left : nil
    }
}
