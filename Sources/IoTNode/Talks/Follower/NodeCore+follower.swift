internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// Following another node: showing its timer, and forwarding commands to it.
extension NodeCore {
    /// The timer that is shown: the leader's if there is a leader, otherwise the node's own. The node's own timer is
    /// stopped while the node follows.
    var shown: RunningTimer { follower?.timer ?? timer }

    /// The speaker, the message and the lock, as set by the leader or by the node itself.
    var shownTalk: Talk { follower?.talk ?? talk }

    /// Starts to follow a leader, or returns to the node's own timers.
    mutating func reconfigureFollower(from old: NodeConfiguration, into batch: inout EffectBatch) {
        let new = configuration
        guard (new.follow, new.node.id) != (old.follow, old.node.id) else { return }
        endOwnRun(into: &batch)
        follower = new.follow.map { Follower($0, node: new.node.id, seed: seed) }
        // Its own agenda rests as well.
        outputs.showLead(since: nil)
        outputs.resume(shown.player, since: nil, silencedAt: nil, at: batch.now.instant)
    }

    /// Stops the node's own run, because its own timers are stopped while it follows.
    mutating func endOwnRun(into batch: inout EffectBatch) {
        guard configuration.follow != nil, timer.player.mode != .stopped else { return }
        let now = batch.now.instant
        tell(timer.act(at: now) { $0.stop(at: now) }, into: &batch)
        batch.log(.info, "the run ended because the node now follows another node")
    }

    /// Resumes with the data about the leader that was saved when the last process ended.
    mutating func resumeFollower(_ saved: SavedFollow?, into batch: inout EffectBatch) {
        endOwnRun(into: &batch)
        guard follower != nil else { return }
        let now = batch.now.instant
        if let saved { _ = follower?.restore(saved, at: now) }
        outputs.resume(shown.player, since: shown.modeSince, silencedAt: outputs.indicators.silencedAt, at: now)
    }

    /// Advances the shown timer of the leader to the current moment.
    mutating func advanceFollower(into batch: inout EffectBatch) {
        let now = batch.now.instant
        let due = follower?.timer.nextInstant
        let steps = follower?.advance(to: now) ?? []
        changeFollower(into: &batch) { $0.endMessage(at: now) }
        if steps.isEmpty { return }
        reports.health.noteTicks(steps, firstDue: due, at: now)
        show(steps, into: &batch)
    }

    /// Performs everything that is due: requests the leader's time, and gives up on commands that were not answered.
    mutating func updateFollower(into batch: inout EffectBatch) {
        guard follower != nil else { return }
        let now = batch.now.instant
        while let question = follower?.consumeQuestion(at: now) { batch.progress.append(.publish(question)) }
        for pending in follower?.forwarded.expire(at: now) ?? [] {
            giveUp(pending.command, from: pending.origin, repeats: pending.repeats, into: &batch)
        }
        if follower?.stepHasChanged(at: now) == true { reports.health.ask(at: now) }
    }

    /// Shows the steps of the leader's timer. Only the leader reports its runs.
    private mutating func show(_ steps: [RunningTimer.Step], into batch: inout EffectBatch) {
        outputs.show(steps, group: shown.player.model.selectedGroup)
        if let since = shown.modeSince { outputs.align(to: since) }
        let own = steps.filter { if case .runEnded = $0.event { false } else { true } }
        reports.publish(own, own.map { _ in nil }, into: &batch)
    }

    /// Changes the data about the leader, and publishes the message to the speaker if it changed.
    private mutating func changeFollower(into batch: inout EffectBatch, _ change: (inout Follower) -> Void) {
        let before = shownTalk.message
        guard var changed = follower.take() else { return }
        change(&changed)
        follower = changed
        reports.messageChanged(from: before, to: changed.talk.message, shown, into: &batch)
    }

    /// Handles a message that the leader may have published.
    mutating func receiveFromLeader(_ message: IncomingMessage, into batch: inout EffectBatch) {
        guard follower != nil else { return }
        let now = batch.now.instant
        var news: Follower.News?
        changeFollower(into: &batch) { news = $0.receive(message, at: now) }
        guard let news else { return }
        show(news.steps, into: &batch)
        if let attention = news.attention { outputs.attract(at: attention) }
        if news.isOutdated, let question = follower?.message(Request(command: .state)) {
            batch.progress.append(.publish(question))
        }
        if let warning = news.warning { batch.log(.warning, warning) }
        if let (pending, response) = news.answer {
            answer(
                pending.origin, response.outcome, response.details, repeats: pending.repeats, into: &batch)
        }
    }
}

// MARK: - Commands

extension NodeCore {
    /// Forwards a command to the leader; returns false if the follower executes the command itself.
    mutating func forwardToLeader(_ received: CommandIntake.Received, into batch: inout EffectBatch) throws(Refusal)
        -> Bool
    {
        guard let follower, case .success(let command) = received.command else { return false }
        if let sender = received.forwardedBy {
            let (id, leader) = (follower.node, follower.leader.node)
            throw Refusal(
                .notAllowed,
                "\(sender.excerpt) follows \(id), which itself follows \(leader); a leader must have its own timers")
        }
        if command.verb.rules.isHandledByFollower { return false }
        guard received.scope == .node else {
            // The leader receives the command directly.
            let response = respond(to: received, nil, follows: follower.leader.node, into: &batch)
            commands.remember(response, to: received, at: batch.now.instant)
            reports.health.count(refused: false)
            return true
        }
        forward(command, from: .received(received), into: &batch)
        return true
    }

    /// Forwards a command to the leader, which responds later.
    mutating func forward(
        _ command: Command, from origin: ForwardedCommands.Origin, into batch: inout EffectBatch
    ) {
        guard let follower, follower.mayReachLeader else {
            return giveUp(command, from: origin, repeats: 0, into: &batch)
        }
        if case .received(let received) = origin, self.follower?.forwarded.isRepeat(received) == true { return }
        guard let id = self.follower?.forwarded.add(command, from: origin, at: batch.now.instant) else {
            let refusal = Refusal(.rateLimited, "too many commands await an answer from \(follower.leader.node)")
            return answer(origin, .error(refusal), nil, repeats: 0, into: &batch)
        }
        // The command is sent at once, like a mode, because the leader's lamps wait for it.
        let request = Request(id: id, forwardedBy: follower.node, command: command)
        // By then, the sender has already been told that the leader does not respond.
        batch.progress.append(.publish(follower.message(request, expiry: ForwardedCommands.timeout)))
    }

    /// Handles a command that the leader does not answer. In that case, `stop` stops only this node.
    private mutating func giveUp(
        _ command: Command, from origin: ForwardedCommands.Origin, repeats: Int, into batch: inout EffectBatch
    ) {
        guard let leader = follower?.leader.node else { return }
        var text = "\(leader) is not responding"
        if command == .player(.stop) {
            show(follower?.stopAlone(at: batch.now.instant) ?? [], into: &batch)
            text += "; only this node was stopped"
        }
        answer(origin, .error(Refusal(.noLeader, text)), nil, repeats: repeats, into: &batch)
    }

    /// Answers a forwarded command with the leader's response.
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
