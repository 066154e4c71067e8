internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// A node that follows another one: what it shows, and whose the commands are.
extension NodeCore {
    /// The timer that is shown: the leader's, or the node's own, which rests meanwhile.
    var shown: RunningTimer { follower?.timer ?? timer }

    /// Who speaks, what is told and what is locked, by the leader or by the node itself.
    var shownTalk: Talk { follower?.talk ?? talk }

    /// Begins to follow, or goes back to the node's own timers.
    mutating func reconfigureFollower(from old: NodeConfiguration, into batch: inout EffectBatch) {
        let new = configuration
        guard (new.follow, new.node.id) != (old.follow, old.node.id) else { return }
        endOwnRun(into: &batch)
        follower = new.follow.map { Follower($0, node: new.node.id, seed: seed) }
        outputs.resume(shown.player, since: nil, silencedAt: nil, at: batch.now.instant)
    }

    /// The node's own timers rest while it follows.
    mutating func endOwnRun(into batch: inout EffectBatch) {
        guard configuration.follow != nil, timer.player.mode != .stopped else { return }
        let now = batch.now.instant
        tell(timer.act(at: now) { $0.stop(at: now) }, into: &batch)
        batch.log(.info, "the run ended: the node follows another one")
    }

    /// Goes on with what was known of the leader when the last process ended.
    mutating func resumeFollower(_ saved: SavedFollow?, into batch: inout EffectBatch) {
        endOwnRun(into: &batch)
        guard follower != nil else { return }
        let now = batch.now.instant
        if let saved { _ = follower?.restore(saved, at: now) }
        outputs.resume(shown.player, since: shown.modeSince, silencedAt: outputs.indicators.silencedAt, at: now)
    }

    /// Brings what is shown of the leader up to the present.
    mutating func advanceFollower(into batch: inout EffectBatch) {
        let now = batch.now.instant
        let due = follower?.timer.nextInstant
        let steps = follower?.advance(to: now) ?? []
        changeFollower(into: &batch) { $0.endMessage(at: now) }
        if steps.isEmpty { return }
        reports.health.noteTicks(steps, firstDue: due, at: now)
        show(steps, into: &batch)
    }

    /// Does what is due: asks the leader for its time, and gives up on answers.
    mutating func updateFollower(into batch: inout EffectBatch) {
        guard follower != nil else { return }
        let now = batch.now.instant
        while let question = follower?.consumeQuestion(at: now) { batch.progress.append(.publish(question)) }
        for pending in follower?.forwarded.expire(at: now) ?? [] {
            giveUp(pending.command, from: pending.origin, repeats: pending.repeats, into: &batch)
        }
        if follower?.stepHasChanged(at: now) == true { reports.health.ask(at: now) }
    }

    /// Shows what the leader's timer did. Its runs are for the leader to report.
    private mutating func show(_ steps: [RunningTimer.Step], into batch: inout EffectBatch) {
        outputs.show(steps, group: shown.player.model.selectedGroup)
        if let since = shown.modeSince { outputs.align(to: since) }
        let own = steps.filter { if case .runEnded = $0.event { false } else { true } }
        reports.publish(own, own.map { _ in nil }, into: &batch)
    }

    /// Changes what is known of the leader, and reports its message to the speaker where that is another one.
    private mutating func changeFollower(into batch: inout EffectBatch, _ change: (inout Follower) -> Void) {
        let before = shownTalk.message
        guard var changed = follower.take() else { return }
        change(&changed)
        follower = changed
        reports.messageChanged(from: before, to: changed.talk.message, shown, into: &batch)
    }

    /// Takes in what the leader published.
    mutating func hearLeader(_ message: IncomingMessage, into batch: inout EffectBatch) {
        guard follower != nil else { return }
        let now = batch.now.instant
        var news: Follower.News?
        changeFollower(into: &batch) { news = $0.receive(message, at: now) }
        guard let news else { return }
        show(news.steps, into: &batch)
        if let attention = news.attention { outputs.attract(at: attention) }
        if let warning = news.warning { batch.log(.warning, warning) }
        if let (pending, response) = news.answer {
            answer(
                pending.origin, response.outcome, response.details, repeats: pending.repeats, into: &batch)
        }
    }
}

// MARK: - Commands

extension NodeCore {
    /// Deals with a command that is not the follower's own; returns false where it is.
    mutating func forwardToLeader(_ received: CommandIntake.Received, into batch: inout EffectBatch) throws(Refusal)
        -> Bool
    {
        guard let follower, case .success(let command) = received.command else { return false }
        if let sender = received.forwardedBy {
            let (id, leader) = (follower.node, follower.leader.node)
            throw Refusal(
                .notAllowed,
                "\(sender.excerpt) follows \(id), which follows \(leader) itself; a leader has timers of its own")
        }
        if command.verb.rules.isOwnOfFollower { return false }
        guard received.scope == .node else {
            // The leader hears it itself.
            let response = respond(to: received, nil, follows: follower.leader.node, into: &batch)
            commands.remember(response, to: received, at: batch.now.instant)
            reports.health.count(refused: false)
            return true
        }
        forward(command, from: .received(received), into: &batch)
        return true
    }

    /// Has the leader do something, whose answer comes later.
    mutating func forward(
        _ command: Command, from origin: ForwardedCommands.Origin, into batch: inout EffectBatch
    ) {
        guard let follower, follower.mayReachLeader else {
            return giveUp(command, from: origin, repeats: 0, into: &batch)
        }
        if case .received(let received) = origin, self.follower?.forwarded.isRepeat(received) == true { return }
        guard let id = self.follower?.forwarded.add(command, from: origin, at: batch.now.instant) else {
            let refusal = Refusal(.rateLimited, "too many commands wait for an answer of \(follower.leader.node)")
            return answer(origin, .error(refusal), nil, repeats: 0, into: &batch)
        }
        // At once, as a mode is: the leader's lamps wait for it.
        let request = Request(id: id, forwardedBy: follower.node, command: command)
        // After that time the sender was told that the leader does not answer.
        batch.progress.append(.publish(follower.message(request, expiry: ForwardedCommands.patience)))
    }

    /// The leader does not answer. Then this node alone can be stopped.
    private mutating func giveUp(
        _ command: Command, from origin: ForwardedCommands.Origin, repeats: Int, into batch: inout EffectBatch
    ) {
        guard let leader = follower?.leader.node else { return }
        var text = "\(leader) does not answer"
        if command == .player(.stop) {
            show(follower?.stopAlone(at: batch.now.instant) ?? [], into: &batch)
            text += "; this node alone is stopped"
        }
        answer(origin, .error(Refusal(.noLeader, text)), nil, repeats: repeats, into: &batch)
    }

    /// Answers a command that was the leader's, with what that answered.
    private mutating func answer(
        _ origin: ForwardedCommands.Origin, _ outcome: Response.Outcome, _ details: Response.Details?, repeats: Int,
        into batch: inout EffectBatch
    ) {
        guard let leader = follower?.leader.node else { return }
        switch origin {
        case .received(let received):
            var response = Response(
                id: received.id, command: received.verb, outcome: outcome, details: details, forwardedTo: leader)
            reports.health.count(refused: response.refusal != nil)
            reports.respond(response, to: received.message, into: &batch)
            commands.remember(response, to: received, at: batch.now.instant)
            response.duplicate = true
            for _ in 0..<repeats { reports.respond(response, to: received.message, into: &batch) }
        case .input(let source):
            guard case .error(let refusal) = outcome else { return }
            commands.log(refusal, of: "\(source), forwarded to \(leader)", into: &batch)
        }
    }
}
