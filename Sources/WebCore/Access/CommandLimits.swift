package import TimerEngine

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
