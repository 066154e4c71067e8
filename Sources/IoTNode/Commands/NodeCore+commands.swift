internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// Commands: each is either executed at once or refused without changing anything, and then answered.
extension NodeCore {
    mutating func receive(_ message: IncomingMessage, into batch: inout EffectBatch) {
        guard let (scope, verb) = reports.command(from: message.topic) else {
            if reports.discovery.isBirth(message, at: batch.now.instant) { reports.announceAgain(into: &batch) }
            reports.receiveOwn(message, into: &batch)
            receiveFromLeader(message, into: &batch)
            return handleRemote(message, into: &batch)
        }
        switch commands.admit(message, verb: verb, scope: scope, at: batch.now.instant) {
        case .admitted(let received): answer(received, into: &batch)
        case .refused(let received, let refusal):
            reports.health.count(refused: true)
            respond(to: received, refusal, into: &batch)
        case .ignored: reports.health.count(refused: true)
        }
    }

    /// Executes and answers an admitted command, forwards it, or queues it.
    mutating func answer(_ received: CommandIntake.Received, into batch: inout EffectBatch) {
        if let response = commands.response(toDuplicate: received, at: batch.now.instant) {
            return reports.respond(response, to: received.message, into: &batch)
        }
        var (refusal, details): (Refusal?, Response.Details?)
        do throws(Refusal) {
            if try forwardToLeader(received, into: &batch) { return }
            let command = try received.command.get()
            if let refusal = shownTalk.refusal(of: command) { throw refusal }
            if try waitsForZones(received, command) { return }
            details = try run(command, into: &batch)
        } catch { refusal = error }
        reports.health.count(refused: refusal != nil)
        let response = respond(to: received, refusal, details, into: &batch)
        commands.remember(response, to: received, at: batch.now.instant)
    }

    @discardableResult
    mutating func respond(
        to received: CommandIntake.Received, _ refusal: Refusal?, _ details: Response.Details? = nil,
        follows leader: String? = nil, into batch: inout EffectBatch
    ) -> Response {
        // An executed command has a known verb, so only a refused command's verb may have to be shortened.
        let verb = refusal == nil || received.verb == "" ? received.verb : received.verb?.excerpt
        let player = shown.player
        let outcome =
            refusal.map(Response.Outcome.error)
            ?? .ok(mode: ModeName(player.mode), remaining: player.countdown.shownSeconds(at: batch.now.instant))
        let response = Response(id: received.id, command: verb, outcome: outcome, details: details, follows: leader)
        reports.respond(response, to: received.message, into: &batch)
        if let refusal {
            commands.log(refusal, of: reports.excerpt(ofCommand: received.message.topic), into: &batch)
        }
        return response
    }

    /// Executes the command of a button or a remote. A refusal is only logged, because no client expects a response.
    mutating func run(_ bound: BoundCommand, of source: String, into batch: inout EffectBatch) {
        let name = "\(source): \(bound.description.brief)"
        guard shownTalk.admits(input: bound.command) else {
            return batch.log(.debug, "\(name): ignored: the node is locked")
        }
        batch.log(.debug, name)
        if follower != nil, !bound.command.verb.rules.isHandledByFollower {
            return forward(bound.command, from: .input(name), into: &batch)
        }
        do throws(Refusal) { try run(bound.command, into: &batch) } catch {
            commands.log(error, of: name, into: &batch)
        }
    }

    /// Handles a message that is not a command for this node; it may come from a remote.
    private mutating func handleRemote(_ message: IncomingMessage, into batch: inout EffectBatch) {
        for (remote, finding) in remotes.match(message, at: batch.now.instant) {
            let name = "remote \(remote.topic)"
            switch finding {
            case .pressed(let bound, let value): run(bound, of: "\(name), \(value.quoted)", into: &batch)
            case .nothing(let reason):
                batch.log(.debug, "\(name): no action for the message on \(message.topic.quoted): \(reason)")
            case .unreadable(let reason, let isLogged):
                batch.log(
                    isLogged ? .warning : .debug,
                    "\(name): ignored a message on \(message.topic.quoted): \(reason)")
            }
        }
    }
}

// MARK: - Execution

extension NodeCore {
    /// Executes a command, or throws without changing anything.
    ///
    /// - Returns: the details that the command requested; nil for most commands.
    @discardableResult
    mutating func run(_ command: Command, into batch: inout EffectBatch) throws(Refusal) -> Response.Details? {
        let now = batch.now
        switch command {
        case .player(let command): try act(command, into: &batch)
        case .correction(let command): try correct(command, into: &batch)
        case .signal(let command):
            try outputs.play(command, in: shown.player.mode, at: now.instant)
            if command == .silence { agenda.reminder = nil }
        case .model(.reset): try resetTimers(into: &batch)
        case .model(.resetAccounts(let group)): try resetAccounts(group: group, into: &batch)
        case .model where configuration.timers.isReadOnly:
            throw Refusal(.readOnly, "the configuration has timers.read_only: true; edit its timers in the file")
        case .model(.edit(let selector, let edit, let revision)):
            try check(modelRevision: revision)
            try self.edit(selector, edit, into: &batch)
        case .model(.timers(let document, let revision)):
            try check(modelRevision: revision)
            try replaceTimers(with: document, into: &batch)
        case .talk(let command): change(command, into: &batch)
        case .runs(let command): return try report(command, into: &batch).map(Response.Details.runs)
        case .agenda(let command): try follow(command, into: &batch)
        case .programme(let command): try follow(command, into: &batch)
        case .state: reports.repeatAll(into: &batch)
        case .time: return .time(now.date, BootTime(boot: persistence.boot, now: now.instant.sinceEpoch))
        }
        return nil
    }

    /// Executes a timer command.
    private mutating func act(_ command: PlayerCommand, into batch: inout EffectBatch) throws(Refusal) {
        let now = batch.now
        // A sync corrects the displayed time and does not add any.
        let addsTime =
            switch command {
            case .add, .set: true
            default: false
            }
        let before = beforeCommand
        let left = timer.player.countdown.remaining(at: now.instant)
        let then = try command.beginning.map { (beginning) throws(Refusal) in try instant(of: beginning, at: now) }
        let asOf = then.map { Moment(instant: $0, date: now.date(of: $0)) } ?? now
        let clockEnd = command.mayStart ? try putUpClockEntry(at: asOf) : nil
        let steps: [RunningTimer.Step]
        if case .startUntil(let run, let speaker) = command {
            steps = try start(run, into: &batch)
            tell(steps, into: &batch)
            if let speaker { talk.speaker = speaker }
        } else if let then {
            let correction = try timer.act(asOf: then, at: now.instant) { (player) throws(Refusal) in
                try player.act(on: command, at: asOf)
            }
            tell(correction, speaker: command.speaker, into: &batch)
            steps = correction.command + correction.since
        } else {
            steps = try timer.act(at: now.instant, addsTime: addsTime) { (player) throws(Refusal) in
                try player.act(on: command, at: now)
            }
            tell(steps, into: &batch)
            if let speaker = command.speaker { talk.speaker = speaker }
        }
        if let clockEnd, timer.player.oneOff != nil, timer.player.oneOff == timer.player.prepared {
            timer.clock = clockEnd.beginning(in: timer.player.mode)
        }
        // A command that raised the alarm ended the run before its time.
        if command == .end || command == .fastForward { timer.clock = nil }
        if command.changesTimeLeft { timer.moveClockEnd(from: left, at: now) }
        followClock(into: &batch)
        // Also removes a message that was sent while the timer was stopped.
        if command == .stop { changeMessage(into: &batch) { $0.stopped() } }
        noteUndo(of: Command.player(command).verb, before, steps, at: now.instant)
    }

    /// Checks the revision that an edit is based on, so a client cannot unknowingly undo another client's change.
    private func check(modelRevision revision: Int?) throws(Refusal) {
        guard let revision, revision != timer.modelRevision else { return }
        throw Refusal(revision: revision, of: "model_revision", is: timer.modelRevision)
    }

    private mutating func edit(
        _ selector: String?, _ edit: ModelCommand.Edit, into batch: inout EffectBatch
    ) throws(Refusal) {
        let model = timer.player.model
        let path = try selector.map { (text) throws(Refusal) in try model.path(selector: text) } ?? model.selected
        try change(path, into: &batch) { (model) throws(ModelError) in try model.edit(path) { edit.apply(to: &$0) } }
    }

    private mutating func replaceTimers(with document: ModelDocument, into batch: inout EffectBatch) throws(Refusal) {
        let payload = try ModelPayload(document, patterns: outputs.indicators.table.patterns.keys)
        var new = payload.model
        if !payload.selects { new.keepSelection(of: timer.player.model) }
        try change(nil, into: &batch) { (model) throws(ModelError) in model = new }
    }

    /// Restores the timers in the configuration. This is not an edit, so `read_only` does not forbid it.
    private mutating func resetTimers(into batch: inout EffectBatch) throws(Refusal) {
        guard TimersMessage(timer.player.model) != TimersMessage(configuration.timers.model) else { return }
        guard persistence.canSetEditsAside else {
            throw Refusal(
                .notAllowed, "reset_timers must wait: earlier edits have not been set aside on disk yet")
        }
        replaceTimers(.reset, into: &batch)
        let position = timer.position(at: batch.now.instant)
        reports.edited(position.timer, remaining: position.remaining, into: &batch)
    }

    /// Changes the model, and publishes which timer was edited; nil stands for the one that is selected afterwards.
    private mutating func change(
        _ path: TimerPath?, into batch: inout EffectBatch, _ body: (inout TimerModel) throws(ModelError) -> Void
    ) throws(Refusal) {
        let now = batch.now.instant
        do throws(PlayerError) { tell(try timer.edit(at: now, body), into: &batch) } catch { throw Refusal(error) }
        let position = timer.position(at: now)
        reports.edited(path ?? position.timer, remaining: position.remaining, into: &batch)
    }
}
