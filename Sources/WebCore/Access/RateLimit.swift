package import TimerEngine

/// Limits how often each sender may do something: so many times at once, and as many more as time passes.
package struct RateLimit: Hashable, Sendable {
    private struct Sender: Hashable, Sendable {
        var left: Double
        var at: Instant
    }

    /// So many senders are remembered. Those that may send as many as ever are forgotten first.
    private static let capacity = 4096

    /// How many times in a second, in the long run.
    package let perSecond: Double
    /// How many times at once.
    package let burst: Double

    private var senders: [String: Sender] = [:]

    /// For the commands of a session, of a token, or of a network that has neither.
    package static let commands = RateLimit(perSecond: 10, burst: 10)
    /// For the commands of a network without those of its tokens: whoever knows a PIN has as many sessions as they like.
    package static let networkCommands = RateLimit(perSecond: 30, burst: 30)
    /// For the requests of an address that has proved nothing: a hall may open the pages together.
    package static let requests = RateLimit(perSecond: 50, burst: 400)

    private init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }

    /// Takes one of a sender; returns whether there was one left.
    package mutating func take(_ name: String, at now: Instant) -> Bool {
        if senders.count >= Self.capacity, senders[name] == nil {
            senders = senders.filter { left($0.value, at: now) < burst }
            guard senders.count < Self.capacity else { return false }
        }
        var sender = senders[name] ?? Sender(left: burst, at: now)
        sender.left = left(sender, at: now)
        sender.at = now
        let isAllowed = sender.left >= 1
        if isAllowed { sender.left -= 1 }
        senders[name] = sender
        return isAllowed
    }

    private func left(_ sender: Sender, at now: Instant) -> Double {
        min(burst, sender.left + max(0, sender.at.duration(to: now).inSeconds) * perSecond)
    }
}
