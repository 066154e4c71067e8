import TimerProtocol

/// A follower that says that it is in step shows its leader's timer, and knows its leader's clock as well as it says.
struct FollowerLaw {
    /// How far the ends of the two countdowns may be apart.
    private static let bound = Duration.milliseconds(25)
    /// How long the news of a change may take.
    private static let delay = Duration.seconds(3)

    private struct Node {
        var stopsAlone = false
        /// Since when nothing has kept it from being in step.
        var inStepSince: Duration?
    }

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry, _ views: [String: NodeView], _ troubleUntil: Duration) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        switch entry.what {
        case .said(_, .message(.response(let response))):
            // A command for all nodes does nothing here, and its leader may refuse it.
            guard response.command == "stop", response.follows == nil else { return nil }
            // Without its leader it stops alone, and shows the next run again.
            if case .error(let refusal) = response.outcome {
                node.stopsAlone = node.stopsAlone || refusal.code == .noLeader
            } else {
                node.stopsAlone = false
            }
        case .said(_, .message(.health(let health))):
            guard let follow = health.follow, let leader = views[follow.leader], let own = views[entry.machine] else {
                return nil
            }
            guard follow.isInStep else {
                node.inStepSince = nil
                return nil
            }
            if node.inStepSince == nil { node.inStepSince = entry.time }
            return compare(follow, own, leader, node, entry.time, troubleUntil: troubleUntil)
        case .settled:
            guard let own = views[entry.machine], let leader = own.state?.follows.flatMap({ views[$0] }) else {
                return nil
            }
            return compare(own, leader, node, entry.time)
        case .hung, .ended, .connected: node.inStepSince = nil
        default: break
        }
        return nil
    }

    private func compare(
        _ follow: HealthMessage.Follow, _ own: NodeView, _ leader: NodeView, _ node: Node, _ time: Duration,
        troubleUntil: Duration
    ) -> String? {
        guard leader.isAlive, !leader.isHung, leader.isConnected, time - leader.connectedSince > .seconds(60),
            let since = node.inStepSince, time - since > .seconds(20)
        else { return nil }
        if let offset = follow.offset, let error = follow.error {
            let truth = leader.clock.reading(at: time) - own.clock.reading(at: time)
            let difference = max(offset - truth, truth - offset)
            if difference > error + .milliseconds(2) {
                return "the offset \(offset) is wrong by \(difference), more than \(error)"
            }
        }
        guard time - troubleUntil > .seconds(70) else { return nil }
        guard time - leader.stateAt > Self.delay, time - own.stateAt > Self.delay else { return nil }
        return compare(own, leader, node, time)
    }

    /// Compares what the two show.
    private func compare(_ own: NodeView, _ leader: NodeView, _ node: Node, _ time: Duration) -> String? {
        guard let shown = own.state, let state = leader.state, state.follows == nil, !node.stopsAlone else {
            return nil
        }
        guard shown.mode == state.mode else { return "it is \(shown.mode.rawValue), its leader \(state.mode.rawValue)" }
        guard let ownZero = shown.clock.zero, let zero = state.clock.zero else { return nil }
        // What is left now, since the clocks drift apart until the end.
        let left = (ownZero - own.clock.reading(at: time), zero - leader.clock.reading(at: time))
        let difference = left.0 - left.1
        return difference < Self.bound && difference > .zero - Self.bound
            ? nil : "\(left.0) is left, \(left.1) for its leader"
    }
}
