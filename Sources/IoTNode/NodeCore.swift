package import TimerEngine
internal import TimerProtocol

/// What the node decides: a state machine that is told what happened and when, and answers what to do.
///
/// What happens first brings the timer up to the present; what follows leaves in one order that others rely on: the
/// outputs, the ticks and the mode, the state, the events, the responses.
package struct NodeCore {
    var configuration: NodeConfiguration
    var topics: Topics
    let seed: UInt64

    var player: TimerPlayer
    /// When the present run began.
    var startedAt: TimerEngine.Instant?
    var lamps: Indicators
    var lines = OutputLines()
    var buttons: Buttons
    var inputAcquisition = LineAcquisition()
    var linesNews = LinesNews()
    var remotes: Remotes
    /// Messages to remotes that cannot be read may go on for ever.
    var remoteLog = TokenBucket(rate: 1 / 60, burst: 1)
    var reconnection: Reconnection?
    var rateLimit: RateLimit
    var repeats = DuplicateFilter()
    var refusalLog = TokenBucket(rate: 1, burst: 5)
    var health: Health
    var denials = ReportedRejections()
    var unusedResponseTopics = ReportedRejections()

    /// What ``conclude()`` is to work out.
    private var unfinished: (batch: EffectBatch, reading: Indicators.Reading)?
    /// What was last published, to publish changes alone.
    var published = Published()
    var shown: NodeStatus?
    /// Which boot of the machine the instants belong to.
    var boot = ""
    var saving = Saving()
    /// Whether it was announced that the node is ready.
    var isReady = false
    /// When a node that was told to stop leaves at the latest; nil for one that runs.
    var leavesBy: TimerEngine.Instant?

    /// When ``handle(_:at:)`` wants a ``NodeEvent/timePassed``; nil while there is nothing to wait for.
    ///
    /// It follows from the state, and is worked out with each change of it.
    package private(set) var nextInstant: TimerEngine.Instant?

    /// A node that has not begun.
    ///
    /// - Parameter seed: for the jitter of the delays between connection attempts.
    package init(configuration: NodeConfiguration, seed: UInt64) {
        self.configuration = configuration
        self.seed = seed
        let mqtt = configuration.mqtt
        topics = Topics(configuration)
        player = TimerPlayer(configuration.timers.model)
        lamps = Indicators(table: configuration.signals, names: configuration.gpio.outputs.keys)
        buttons = Buttons(configuration.gpio.buttons)
        remotes = Remotes(configuration.remotes)
        reconnection = mqtt.map { Reconnection(brokers: $0.brokers, version: $0.version, seed: seed) }
        rateLimit = RateLimit(perSecond: mqtt?.commandRate ?? 0)
        health = Health(interval: mqtt?.healthInterval ?? .zero)
    }

    /// When the first of the parts wants to be told of the time.
    private var earliestInstant: TimerEngine.Instant? {
        if let leavesBy { return leavesBy }
        let timer: TimerEngine.Instant? = .earliest(player.nextInstant, health.nextInstant)
        let outputs: TimerEngine.Instant? = .earliest(lines.nextEdge, lines.acquisition.retryAt)
        let inputs: TimerEngine.Instant? = .earliest(buttons.nextInstant, inputAcquisition.retryAt)
        let others: TimerEngine.Instant? = .earliest(reconnection?.nextInstant, saving.retryAt)
        return .earliest(.earliest(timer, outputs), .earliest(inputs, others))
    }

    /// Takes what happened, all that was found at once, and returns what to do, in order: what must not wait, which are
    /// the outputs, the ticks and the mode. What else there is to do, ``conclude()`` returns.
    ///
    /// However many commands there are among the events, the outputs are set once, and the model and the state are
    /// published once, before the commands are answered.
    package mutating func handle(_ events: [NodeEvent], at now: Moment) -> [NodeEffect] {
        let left = conclude()
        defer { nextInstant = earliestInstant }
        let effects = decide(events, at: now)
        return left.isEmpty ? effects : left + effects
    }

    /// Returns what else is to be done since the last ``handle(_:at:)``, in order; it is worked out only now.
    package mutating func conclude() -> [NodeEffect] {
        guard let (batch, reading) = unfinished else { return [] }
        unfinished = nil
        defer { nextInstant = earliestInstant }
        return batch.laterEffects(
            timers: timersEffects(), state: stateEffects(outputStates(reading), at: batch.now),
            // Who shows the status makes a text of it, which nothing else waits for.
            saves: statusEffects(at: batch.now) + saveEffects(at: batch.now))
            + healthEffects(at: batch.now.instant)
    }

    private mutating func decide(_ events: [NodeEvent], at now: Moment) -> [NodeEffect] {
        guard leavesBy == nil else { return leave(events, at: now) }
        // A state that is saved, as those before it were, changes nothing else: each command leads to one.
        if events.count == 1, case .stored(let number) = events[0], saving.fault == nil {
            saving.ended(number)
            return []
        }
        var batch = EffectBatch(now: now)
        let before = player
        let passed = player.advance(to: now.instant)
        health.noteTicks(passed, firstDue: before.nextInstant, at: now.instant)
        apply(passed, from: before, into: &batch)
        for event in events {
            if case .terminate = event { return terminate(batch) }
            apply(event, into: &batch)
        }
        retryOutputs(into: &batch)
        retryInputs(into: &batch)
        keepConnected(into: &batch)
        tellOfLines(into: &batch)
        let reading = lamps.read(at: now.instant)
        unfinished = (batch, reading)
        return batch.firstEffects(outputs: lineEffects(reading))
    }

    private mutating func apply(_ event: NodeEvent, into batch: inout EffectBatch) {
        switch event {
        case .started(let saved, let boot): start(saved: saved, boot: boot, into: &batch)
        case .timePassed: advanceButtons(into: &batch)
        case .connection(let event): handle(event, into: &batch)
        case .outputsAcquired(let lines): outputsAcquired(lines, into: &batch)
        case .outputsFailed(let fault): outputsFailed(fault, into: &batch)
        case .edges(let edges): process(edges, into: &batch)
        case .inputsAcquired(let lines): inputsAcquired(lines, into: &batch)
        case .inputsFailed(let fault): inputsFailed(fault, into: &batch)
        case .chipsChanged: chipsChanged(into: &batch)
        case .reloadAsked: batch.lines.append(.loadConfiguration)
        case .reloaded(let result): reload(result, into: &batch)
        case .loadFailed(let error): loadFailed(error, into: &batch)
        case .stored(let number): stored(number, into: &batch)
        case .storeFailed(let number, let error): storeFailed(number, error, into: &batch)
        case .setAside(let what, let result): wasSetAside(what, result, into: &batch)
        case .memoryMeasured(let bytes): publishHealth(residentBytes: bytes, into: &batch)
        case .wallClockSet:
            // Their dates are others now.
            published.state = nil
            saving.last = nil
        case .terminate: break
        }
    }

    private mutating func start(saved: [UInt8]?, boot: String, into batch: inout EffectBatch) {
        self.boot = boot
        health.begin(at: batch.now.instant)
        if let saved { restore(saved, into: &batch) }
        batch.log(.info, "node \(configuration.node.id) started")
        lines.acquisition.begin(at: batch.now.instant)
        if buttons.areConfigured { inputAcquisition.begin(at: batch.now.instant) }
        reconnection?.start(at: batch.now.instant)
    }

    /// Takes up what the timer reports.
    ///
    /// - Parameters:
    ///   - events: what one call of the player reported.
    ///   - before: the player before that call.
    mutating func apply(_ events: [TimerPlayer.Event], from before: TimerPlayer, into batch: inout EffectBatch) {
        lamps.group = player.model.selectedGroup
        let positions = EventPosition.positions(at: events, from: before, to: player, now: batch.now.instant)
        for (event, position) in zip(events, positions) {
            switch event {
            case .tick(let second, _):
                tick(second, into: &batch)
            case .modeChanged(let from, let to, let instant):
                if from == .stopped { startedAt = instant }
                lamps.show(to, since: instant)
                publish(to, into: &batch)
                report(.modeChanged(from: ModeName(from), to: ModeName(to)), at: instant, position, into: &batch)
            case .movedOn(let from, _, let instant):
                lamps.moveOn(at: instant)
                report(.movedOn(from: from), at: instant, position, into: &batch)
            case .runEnded(let run, let instant):
                startedAt = instant
                report(.runEnded(used: run.used, over: run.over), at: instant, position, into: &batch)
            }
        }
        if player.mode == .stopped { startedAt = nil }
    }

    /// Dark first, then goodbye.
    private mutating func terminate(_ batch: EffectBatch) -> [NodeEffect] {
        var batch = batch
        batch.announce(.stopping)
        batch.log(.info, "stopping")
        if reconnection?.isConnected == true {
            batch.answers.append(availability(.offline))
        }
        reconnection?.stop()
        // With the present moment, which is where a machine that is started anew goes on.
        saving.last = nil
        leavesBy = batch.now.instant + Self.longestFarewell
        let outputs = outputStates(lamps.read(at: batch.now.instant))
        return [.releaseOutputs] + batch.firstEffects(outputs: [])
            + batch.laterEffects(
                timers: timersEffects(), state: stateEffects(outputs, at: batch.now), saves: saveEffects(at: batch.now))
            + [.disconnect(patience: .milliseconds(500))]
            + exitEffects(at: batch.now)
    }
}
