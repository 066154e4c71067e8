package import BrokerLink
package import NodeConfiguration
internal import NodePorts
package import TimerEngine
internal import TimerProtocol

/// The state machine that makes the node's decisions: it receives timed events and returns effects.
///
/// Before any event is handled, the timer is advanced to the current moment. Then each component adds its effects to
/// one ``EffectBatch``, which returns them in the order that clients rely on.
package struct NodeCore {
    package internal(set) var configuration: NodeConfiguration
    var timer: RunningTimer
    var talk: Talk
    /// The last command that ended a run; nil once it can no longer be undone.
    var undo: Undo?
    var spentBudgets = SpentBudgets()
    /// Nil for a node with its own timers.
    var follower: Follower?
    var history: RunHistory
    var agenda: AgendaControl
    var programme: ProgrammeControl
    /// Commands that are waiting for time zones.
    var waiting: [CommandIntake.Received] = []
    var outputs: OutputControl
    var inputs: InputControl
    var remotes: Remotes
    var mirrors: Mirrors
    var connection: BrokerConnection
    var commands: CommandIntake
    var reports: Reports
    var persistence: Persistence
    var lifecycle = Lifecycle()

    /// The seed of all random numbers.
    let seed: UInt64

    /// When ``handle(_:at:)`` needs a ``NodeEvent/timePassed``; nil while there is nothing to wait for.
    /// ``deferredEffects(of:)`` computes it from the state.
    package private(set) var nextInstant: Instant?

    /// Creates a node that has not started yet.
    ///
    /// - Parameter seed: determines the jitter of the delays between connection attempts, and the ids of runs.
    package init(configuration: NodeConfiguration, seed: UInt64) {
        self.configuration = configuration
        self.seed = seed
        timer = RunningTimer(TimerPlayer(configuration.timers.model), seed: seed)
        talk = Talk(configuration.timers.model)
        follower = configuration.follow.map { Follower($0, node: configuration.node.id, seed: seed) }
        history = RunHistory(limit: configuration.runLimit)
        agenda = AgendaControl(configuration.agenda)
        programme = ProgrammeControl(gap: configuration.programme.gap)
        outputs = OutputControl(configuration)
        inputs = InputControl(configuration)
        remotes = Remotes(configuration.remotes)
        mirrors = Mirrors(configuration.mirrors)
        connection = BrokerConnection(configuration.mqtt, seed: seed)
        commands = CommandIntake(configuration)
        reports = Reports(configuration)
        persistence = Persistence(configuration)
    }

    /// Whether the node is shutting down.
    package var isLeaving: Bool { lifecycle.isLeaving }

    private var earliestInstant: Instant? {
        if lifecycle.isLeaving { return lifecycle.nextInstant }
        var earliest: Instant? = .earliest(timer.nextInstant, outputs.nextInstant)
        earliest = .earliest(earliest, inputs.nextInstant)
        earliest = .earliest(earliest, connection.nextInstant)
        earliest = .earliest(earliest, reports.nextInstant)
        if reports.isConnected { earliest = .earliest(earliest, mirrors.nextInstant) }
        if let follower {
            earliest = .earliest(earliest, follower.nextInstant)
        } else {
            earliest = .earliest(earliest, talk.nextInstant)
            earliest = .earliest(earliest, undo?.until)
            earliest = .earliest(earliest, spentBudgets.nextInstant(timer))
            earliest = .earliest(earliest, agenda.nextInstant)
        }
        return .earliest(earliest, persistence.nextInstant)
    }

    /// Handles events that arrived together. The caller must perform the urgent effects at once: lines and outputs, the
    /// connection, ticks and the mode. Then ``deferredEffects(of:)`` returns the rest.
    ///
    /// However many commands the events contain, the outputs are set once, and the model and the state are published
    /// once, before the commands are answered.
    package mutating func handle(_ events: [NodeEvent], at now: Moment) -> NodeTurn {
        // Every command causes a save, and a save that succeeds after earlier successes needs no further handling.
        if !lifecycle.isLeaving, events.count == 1, persistence.consumesSilently(events[0]) {
            return NodeTurn(first: [], batch: nil)
        }
        var batch = EffectBatch(now: now)
        if lifecycle.isLeaving { handleWhileLeaving(events, into: &batch) } else { decide(events, into: &batch) }
        guard lifecycle.isLeaving else { return NodeTurn(batch) }
        // A node that is shutting down performs both steps at once.
        let first = batch.first
        return NodeTurn(first: first + deferredEffects(of: NodeTurn(first: [], batch: batch)), batch: nil)
    }

    /// Returns the remaining effects of a turn, in order. They are computed by this call, not earlier.
    package mutating func deferredEffects(of turn: consuming NodeTurn) -> [NodeEffect] {
        guard var batch = turn.batch else { return [] }
        if !lifecycle.isLeaving {
            let shown = ShownNode(
                now: batch.now, boot: persistence.boot, timer: shown, talk: shownTalk, undo: presentUndo,
                history: history, agenda: agenda, programme: programme, follower: follower,
                outputs: outputs.report(at: batch.now.instant), grace: grace, linesFault: linesFault)
            reports.publishChanges(of: shown, into: &batch)
            if reports.isConnected, !mirrors.isEmpty {
                mirrors.update(shown, signals: outputs.signals(at: batch.now.instant), into: &batch)
            }
        }
        let state = persistence.isConfigured ? savedState(at: batch.now) : nil
        persistence.save(state, history, into: &batch)
        lifecycle.leaveIfDone(isSaving: persistence.isUnderWay, into: &batch)
        nextInstant = earliestInstant
        return batch.rest
    }

    private mutating func decide(_ events: [NodeEvent], into batch: inout EffectBatch) {
        advance(into: &batch)
        for event in events {
            dispatch(event, into: &batch)
            if lifecycle.isLeaving { return }
        }
        update(into: &batch)
    }

    mutating func advance(into batch: inout EffectBatch) {
        if follower != nil { return advanceFollower(into: &batch) }
        let now = batch.now.instant
        changeMessage(into: &batch) { $0.advance(to: now) }
        if let until = undo?.until, until <= now { undo = nil }
        followClock(into: &batch)
        let due = timer.nextInstant
        let steps = timer.advance(to: batch.now.instant)
        if steps.isEmpty { return }
        reports.health.noteTicks(steps, firstDue: due, at: batch.now.instant)
        tell(steps, into: &batch)
    }

    /// Performs everything that is due or has become necessary.
    mutating func update(into batch: inout EffectBatch) {
        if follower == nil { announceSpentBudget(into: &batch) }
        if follower == nil { followAgenda(into: &batch) } else { updateFollower(into: &batch) }
        outputs.update(into: &batch)
        inputs.update(into: &batch)
        connection.update(will: reports.will, into: &batch)
        reports.lines(fault: linesFault, shown, into: &batch)
    }

    /// Passes the timer's steps to every component that depends on them.
    mutating func tell(_ steps: [RunningTimer.Step], into batch: inout EffectBatch) {
        outputs.show(steps, group: timer.player.model.selectedGroup)
        let player = timer.player
        reports.publish(steps, record(steps, player, at: batch.now), into: &batch)
        changeMessage(into: &batch) { $0.follow(steps, player) }
    }

    /// Lets a run that ends by the clock follow it.
    mutating func followClock(into batch: inout EffectBatch) {
        let steps = timer.followClock(at: batch.now)
        if !steps.isEmpty { tell(steps, into: &batch) }
    }

    /// Adds the runs that ended to the report; returns the record for each step, nil for a step that has none.
    ///
    /// - Parameter player: the player after these steps.
    mutating func record(_ steps: [RunningTimer.Step], _ player: TimerPlayer, at now: Moment) -> [RunRecord?] {
        let speaker = talk.speaker
        let entries = programme.follow(steps, player, run: timer.runID, at: now)
        let records = zip(steps, entries).map { step, entry in
            step.ended.flatMap { (run) -> RunRecord? in
                guard run.isRecorded else { return nil }
                let planned = entry.flatMap { programme.planned(of: $0, player.model, agenda.ownZone) }
                return run.record(speaker: speaker, entry: entry, planned: planned, grace: grace, at: now)
            }
        }
        for step in steps { if let run = step.ended { undo?.ended.append(run.id) } }
        records.compactMap(\.self).forEach { history.add($0) }
        return records
    }

    /// Passes an event to the component that handles it.
    private mutating func dispatch(_ event: NodeEvent, into batch: inout EffectBatch) {
        let now = batch.now.instant
        switch event {
        case .started(let saved, let boot): start(saved: saved, boot: boot, into: &batch)
        case .timePassed: run(inputs.advance(to: now), into: &batch)
        case .connection(let event): hear(event, into: &batch)
        case .outputsAcquired(let lines):
            reports.health.outputs = lines
            lifecycle.ready(into: &batch)
            outputs.acquired(into: &batch)
        case .outputsFailed(let fault):
            outputs.failed(fault, into: &batch)
            lifecycle.ready(into: &batch)
        case .inputs(.edges(let edges)): run(inputs.process(edges, at: now), into: &batch)
        case .inputsAcquired(let lines): inputs.acquired(lines, into: &batch)
        case .inputs(.failed(let fault)):
            if inputs.failed(fault, into: &batch) { outputs.inputsLost(at: now) }
        case .chipsChanged:
            outputs.chipsChanged(at: now)
            inputs.chipsChanged(at: now)
        case .runsLoaded(let document?): persistence.restore(document, to: &history, at: batch.now)
        case .runsLoaded(nil): break
        case .loadRunsFailed(let error): persistence.setRunsAside(because: "\(error)", at: batch.now)
        case .loadFailed(let error): persistence.loadFailed(error, at: batch.now)
        case .store(let event): persistence.note(event, into: &batch)
        case .memoryMeasured(let bytes):
            let follow = follower?.report(at: now)
            reports.publishHealth(
                residentBytes: bytes, linesFault: linesFault, follow: follow, signals: configuration.signals.told,
                into: &batch)
        case .wallClockSet:
            reports.wallClockSet()
            agenda.recheck()
            batch.questions.append(.checkClock)
            persistence.saveAgain()
        case .timeZonesRead(let zones): timeZonesRead(zones, into: &batch)
        case .clockChecked(let isTrusted):
            agenda.isClockTrusted = isTrusted
            agenda.recheck()
        case .reloadRequested: break
        case .terminate: terminate(into: &batch)
        }
    }

    private mutating func run(_ presses: [InputControl.Press], into batch: inout EffectBatch) {
        for press in presses { run(press.command, of: press.source, into: &batch) }
    }

    /// The tolerance for the length of a run, in seconds. A follower uses its leader's tolerance.
    private var grace: Int {
        guard let follower else { return Int(configuration.signals.grace?.components.seconds ?? 0) }
        return follower.known.state?.run?.grace ?? 0
    }

    /// Why the lines of the lamps or buttons are not held; nil if they are.
    private var linesFault: String? {
        guard outputs.fault != nil || inputs.fault != nil else { return nil }
        let faults = [outputs.fault?.description, inputs.fault?.description].compactMap(\.self)
        return faults.first == faults.last ? faults.first : faults.joined(separator: "; ")
    }
}
