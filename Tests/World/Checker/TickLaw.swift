import TimerProtocol

/// A tick says the seconds that are left, rounded up, also if the timer was just changed.
struct TickLaw {
    /// The ticks that do not fit the state before them. They may belong to the state that follows in the same instant.
    private var open: [String: (time: Duration, remaining: Int)] = [:]
    /// When each node heard a message last.
    private var heardAt: [String: Duration] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        if let tick = open[entry.machine], tick.time < entry.time {
            open[entry.machine] = nil
            // Of the states that messages cause together, only the last is published, but each may tick.
            if heardAt[entry.machine] == tick.time { return nil }
            let state = view.state.map { "\($0.mode.rawValue) with \($0.preciseRemaining) left" }
            return "a tick says \(tick.remaining), the state \(state ?? "nothing")"
        }
        switch entry.what {
        case .said(_, .message(.tick(let tick))):
            // The state that the tick belongs to is not published if the connection is lost at the same time.
            guard view.isConnected, let state = view.state, !fits(tick.remaining, state, view, entry.time) else {
                return nil
            }
            open[entry.machine] = (entry.time, tick.remaining)
        case .heard: heardAt[entry.machine] = entry.time
        case .said(_, .message(.state(let state))):
            if let tick = open[entry.machine], fits(tick.remaining, state, view, entry.time) {
                open[entry.machine] = nil
            }
        case .ended, .booted: open[entry.machine] = nil
        default: break
        }
        return nil
    }

    private func fits(_ remaining: Int, _ state: StateMessage, _ view: NodeView, _ time: Duration) -> Bool {
        let left = state.clock.zero.map { $0 - view.clock.reading(at: time) } ?? state.preciseRemaining
        let bound = Duration.lateness(isFollower: state.follows != nil)
        let most = max(.zero, left + bound).wholeSecondsUp
        return (max(.zero, left - bound).wholeSecondsUp...most).contains(remaining)
    }
}
