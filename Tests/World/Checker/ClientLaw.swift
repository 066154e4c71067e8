import TimerProtocol

/// A client that does not say that it estimates shows what the node's timer shows. It never counts backwards, and no
/// slower than time passes unless messages were late.
struct ClientLaw {
    /// The difference that a slow network excuses.
    private static let bound = Duration.milliseconds(150)
    /// How long news may take: the access list forbids the topic for up to 40 s, and then up to 60 s pass before the node
    /// publishes it again.
    private static let longestDelay = Duration.seconds(110)
    /// How long after messages were late a client may still correct itself: it asks for the time once a minute.
    private static let longestCorrection = Duration.seconds(90)
    /// How much slower than time a client may count while messages are quick: it follows the node's clock by at most
    /// 1 ms a second.
    private static let slowness = 0.003

    /// The states of each node that may be the newest one that a client has.
    private var states: [String: [(at: Duration, state: StateMessage)]] = [:]
    /// What each client showed last for each node.
    private var last: [String: (at: Duration, what: What.Counted)] = [:]

    mutating func read(_ entry: Entry, _ views: [String: NodeView], _ troubleUntil: Duration) -> String? {
        switch entry.what {
        case .said(_, .message(.state(let state))):
            states[entry.machine, default: []].append((entry.time, state))
            while let second = states[entry.machine]?.dropFirst().first, second.at < entry.time - Self.longestDelay {
                states[entry.machine]?.removeFirst()
            }
        case .counted(let node, let counted):
            defer { last["\(entry.machine) \(node)"] = (entry.time, counted) }
            guard !counted.isEstimate else { return nil }
            if let last = last["\(entry.machine) \(node)"], !last.what.isEstimate, last.what.state == counted.state,
                counted.state.mode.isRunning, counted.remaining > .zero
            {
                let passed = entry.time - last.at
                let counted = last.what.remaining - counted.remaining
                let isCorrected = troubleUntil > last.at - Self.longestCorrection
                let least = passed - passed * Self.slowness - .milliseconds(3)
                if counted < (isCorrected ? max(.zero, least - Self.bound) : least) {
                    return "counted \(counted) for \(node) in \(passed)"
                }
            }
            guard let clock = views[node]?.clock, let states = states[node] else { return nil }
            let reading = clock.reading(at: entry.time)
            let fits = states.contains { _, state in
                guard state.clock.now.boot == clock.boot else { return true }
                guard state.mode == counted.state.mode else { return false }
                let left =
                    state.mode.isRunning
                    ? max(.zero, state.preciseRemaining - (reading - state.clock.now.now)) : state.preciseRemaining
                let difference = left - counted.remaining
                return difference <= Self.bound && difference >= .zero - Self.bound
            }
            if !fits {
                return "shows \(counted.state.mode.rawValue) \(counted.remaining) for \(node), which it was not"
            }
        default: break
        }
        return nil
    }
}
