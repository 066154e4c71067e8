package import TimerEngine

/// Limits how many requests an address that has proved nothing may send: so many at once, and as many more as time passes.
package struct RequestRate: Hashable, Sendable {
    private struct Sender: Hashable, Sendable {
        var left: Double
        var at: TimerEngine.Instant
    }

    /// So many at once, as a hall that opens the pages together.
    package static let burst = 400.0
    package static let perSecond = 50.0
    /// So many addresses are remembered. Those that may send as many as ever are forgotten first.
    private static let capacity = 4096

    private var senders: [String: Sender] = [:]

    package init() {}

    /// Takes one request of an address; returns whether there was one left.
    package mutating func take(_ address: String, at now: TimerEngine.Instant) -> Bool {
        if senders.count >= Self.capacity, senders[address] == nil {
            senders = senders.filter { left($0.value, at: now) < Self.burst }
            guard senders.count < Self.capacity else { return false }
        }
        var sender = senders[address] ?? Sender(left: Self.burst, at: now)
        sender.left = left(sender, at: now)
        sender.at = now
        let isAllowed = sender.left >= 1
        if isAllowed { sender.left -= 1 }
        senders[address] = sender
        return isAllowed
    }

    private func left(_ sender: Sender, at now: TimerEngine.Instant) -> Double {
        min(Self.burst, sender.left + max(0, sender.at.duration(to: now).inSeconds) * Self.perSecond)
    }
}
