import TimerProtocol

/// A tick says the seconds that are left, rounded up, also if the timer was just changed; and none is missing.
struct TickLaw {
    /// A tick that must come unless something happens before.
    private struct Due {
        let second: Int
        let time: Duration
    }

    private struct Node {
        /// The tick that does not fit the state before it. It may belong to the state that follows in the same instant.
        var open: (time: Duration, remaining: Int)?
        /// When the node heard a message last.
        var heardAt: Duration?
        var due: Due?
    }

    /// The nodes tick at each second, or only at each multiple of this.
    private static let interval = 5

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        if let tick = node.open, tick.time < entry.time {
            node.open = nil
            // Of the states that messages cause together, only the last is published, but each may tick.
            if node.heardAt == tick.time { return nil }
            let state = view.state.map { "\($0.mode.rawValue) with \($0.preciseRemaining) left" }
            return "a tick says \(tick.remaining), the state \(state ?? "nothing")"
        }
        if let due = node.due, entry.time > due.time + .lateness(isFollower: false) {
            node.due = nil
            return "the tick \(due.second) is missing"
        }
        switch entry.what {
        case .said(_, .message(.tick(let tick))):
            if let due = node.due, tick.remaining <= due.second {
                node.due = view.state.flatMap { Self.due($0, below: due.second, view) }
            }
            // The state that the tick belongs to is not published if the connection is lost at the same time.
            guard view.isConnected, let state = view.state, !fits(tick.remaining, state, view, entry.time) else {
                return nil
            }
            node.open = (entry.time, tick.remaining)
        case .heard:
            node.heardAt = entry.time
            // What a message does without a connection is not published.
            if !view.isConnected { node.due = nil }
        case .said(_, .message(.state(let state))):
            if let tick = node.open, fits(tick.remaining, state, view, entry.time) { node.open = nil }
            node.due = view.isConnected ? Self.due(state, below: state.preciseRemaining.wholeSecondsUp, view) : nil
        case .ended, .booted: (node.open, node.due) = (nil, nil)
        case .hung, .connected: node.due = nil
        default: break
        }
        return nil
    }

    /// Returns the next tick of a run that must come, at a second below another one. A follower that learns its leader's
    /// clock better may jump over a tick.
    private static func due(_ state: StateMessage, below second: Int, _ view: NodeView) -> Due? {
        guard state.mode.isRunning, state.follows == nil, let zero = state.clock.zero else { return nil }
        let next = (second - 1) / interval * interval
        guard next > 0 else { return nil }
        return Due(second: next, time: view.clock.time(of: zero - .seconds(next)))
    }

    private func fits(_ remaining: Int, _ state: StateMessage, _ view: NodeView, _ time: Duration) -> Bool {
        let left = state.clock.zero.map { $0 - view.clock.reading(at: time) } ?? state.preciseRemaining
        let bound = Duration.lateness(isFollower: state.follows != nil)
        let most = max(.zero, left + bound).wholeSecondsUp
        return (max(.zero, left - bound).wholeSecondsUp...most).contains(remaining)
    }
}
