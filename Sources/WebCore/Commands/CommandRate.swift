package import TimerEngine

/// Limits how many commands each sender has a second: so many at once, and as many more as time passes.
package struct CommandRate: Hashable, Sendable {
    private struct Sender: Hashable, Sendable {
        var left: Double
        var at: TimerEngine.Instant
    }

    package static let perSecond = 10.0
    /// So many senders are remembered. Whoever has sent nothing for a second is forgotten first.
    private static let capacity = 4096

    private var senders: [String: Sender] = [:]

    package init() {}

    /// Takes one command of a sender; returns whether there was one left.
    package mutating func take(_ name: String, at now: TimerEngine.Instant) -> Bool {
        if senders.count >= Self.capacity, senders[name] == nil {
            senders = senders.filter { $0.value.at.duration(to: now) < .seconds(1) }
            guard senders.count < Self.capacity else { return false }
        }
        var sender = senders[name] ?? Sender(left: Self.perSecond, at: now)
        let passed = max(0, sender.at.duration(to: now).inSeconds)
        sender.left = min(Self.perSecond, sender.left + passed * Self.perSecond)
        sender.at = now
        let isAllowed = sender.left >= 1
        if isAllowed { sender.left -= 1 }
        senders[name] = sender
        return isAllowed
    }
}
