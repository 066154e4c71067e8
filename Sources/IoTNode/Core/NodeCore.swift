public import TimerEngine

/// What the node decides: a state machine that is told what happened and when, and answers what to do.
///
/// What happens first brings the timer up to the present; what follows leaves in one order that others rely on: the
/// outputs, the ticks and the mode, the state, the events, the responses.
public struct NodeCore {
    var configuration: NodeConfiguration
    var topics: Topics
    let seed: UInt64

    var player: TimerPlayer
    /// When the present run began.
    var startedAt: TimerEngine.Instant?
    var lamps: Lamps
    var lines = Lines()
    var buttons: Buttons
    var inputClaim = LineClaim()
    var linesNews = LinesNews()
    var remotes: Remotes
    /// Messages to remotes that cannot be read may go on for ever.
    var remoteLog = TokenBucket(rate: 1 / 60, burst: 1)
    var supervisor: Supervisor?
    var rateLimit: RateLimit
    var repeats = Repeats()
    var refusalLog = TokenBucket(rate: 1, burst: 5)
    var health: Health
    var denials = Denials()
    var unusedResponseTopics = Denials()

    /// What ``conclude()`` is to work out.
    private var unfinished: (turn: Turn, reading: Lamps.Reading)?
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
    public private(set) var nextInstant: TimerEngine.Instant?

    /// A node that has not begun.
    ///
    /// - Parameter seed: for the jitter of the delays between connection attempts.
    public init(configuration: NodeConfiguration, seed: UInt64) {
        self.configuration = configuration
        self.seed = seed
        let mqtt = configuration.mqtt
        topics = Topics(configuration)
        player = TimerPlayer(configuration.timers.model)
        lamps = Lamps(table: configuration.signals, names: configuration.gpio.outputs.keys)
        buttons = Buttons(configuration.gpio.buttons)
        remotes = Remotes(configuration.remotes)
        supervisor = mqtt.map { Supervisor(brokers: $0.brokers, version: $0.version, seed: seed) }
        rateLimit = RateLimit(perSecond: mqtt?.commandRate ?? 0)
        health = Health(interval: mqtt?.healthInterval ?? .zero)
    }

    /// When the first of the parts wants to be told of the time.
    private var earliestInstant: TimerEngine.Instant? {
        if let leavesBy { return leavesBy }
        let timer: TimerEngine.Instant? = .earliest(player.nextInstant, health.nextInstant)
        let outputs: TimerEngine.Instant? = .earliest(lines.nextEdge, lines.claim.retryAt)
        let inputs: TimerEngine.Instant? = .earliest(buttons.nextInstant, inputClaim.retryAt)
        let others: TimerEngine.Instant? = .earliest(supervisor?.nextInstant, saving.retryAt)
        return .earliest(.earliest(timer, outputs), .earliest(inputs, others))
    }

    /// Takes what happened, all that was found at once, and returns what to do, in order: what must not wait, which are
    /// the outputs, the ticks and the mode. What else there is to do, ``conclude()`` returns.
    ///
    /// However many commands there are among the events, the outputs are set once, and the model and the state are
    /// published once, before the commands are answered.
    public mutating func handle(_ events: [NodeEvent], at now: Moment) -> [NodeEffect] {
        let left = conclude()
        defer { nextInstant = earliestInstant }
        let effects = decide(events, at: now)
        return left.isEmpty ? effects : left + effects
    }

    /// Returns what else is to be done since the last ``handle(_:at:)``, in order; it is worked out only now.
    public mutating func conclude() -> [NodeEffect] {
        guard let (turn, reading) = unfinished else { return [] }
        unfinished = nil
        defer { nextInstant = earliestInstant }
        return turn.laterEffects(
            timers: timersEffects(), state: stateEffects(outputStates(reading), at: turn.now),
            // Who shows the status makes a text of it, which nothing else waits for.
            saves: statusEffects(at: turn.now) + saveEffects(at: turn.now))
            + healthEffects(at: turn.now.instant)
    }

    private mutating func decide(_ events: [NodeEvent], at now: Moment) -> [NodeEffect] {
        guard leavesBy == nil else { return leave(events, at: now) }
        // A state that is saved, as those before it were, changes nothing else: each command leads to one.
        if events.count == 1, case .stored(let number) = events[0], saving.fault == nil {
            saving.ended(number)
            return []
        }
        var turn = Turn(now: now)
        let before = player
        let passed = player.advance(to: now.instant)
        health.take(passed, firstDue: before.nextInstant, at: now.instant)
        follow(passed, from: before, in: &turn)
        for event in events {
            if case .terminate = event { return terminate(turn) }
            take(event, in: &turn)
        }
        retryOutputs(in: &turn)
        retryInputs(in: &turn)
        superviseConnection(in: &turn)
        tellOfLines(in: &turn)
        let reading = lamps.read(at: now.instant)
        unfinished = (turn, reading)
        return turn.firstEffects(outputs: lineEffects(reading))
    }

    private mutating func take(_ event: NodeEvent, in turn: inout Turn) {
        switch event {
        case .started(let saved, let boot): start(saved: saved, boot: boot, in: &turn)
        case .timePassed: advanceButtons(in: &turn)
        case .link(let event): handle(event, in: &turn)
        case .outputsAcquired(let lines): outputsAcquired(lines, in: &turn)
        case .outputsFailed(let fault): outputsFailed(fault, in: &turn)
        case .edges(let edges): take(edges, in: &turn)
        case .inputsAcquired(let lines): inputsAcquired(lines, in: &turn)
        case .inputsFailed(let fault): inputsFailed(fault, in: &turn)
        case .chipsChanged: chipsChanged(in: &turn)
        case .reloadAsked: turn.lines.append(.loadConfiguration)
        case .reloaded(let result): reload(result, in: &turn)
        case .loadFailed(let error): loadFailed(error, in: &turn)
        case .stored(let number): stored(number, in: &turn)
        case .storeFailed(let number, let error): storeFailed(number, error, in: &turn)
        case .setAside(let what, let result): wasSetAside(what, result, in: &turn)
        case .memoryMeasured(let bytes): publishHealth(residentBytes: bytes, in: &turn)
        case .wallClockSet:
            // Their dates are others now.
            published.state = nil
            saving.last = nil
        case .terminate: break
        }
    }

    private mutating func start(saved: [UInt8]?, boot: String, in turn: inout Turn) {
        self.boot = boot
        health.begin(at: turn.now.instant)
        if let saved { restore(saved, in: &turn) }
        turn.log(.info, "node \(configuration.node.id) started")
        lines.claim.begin(at: turn.now.instant)
        if buttons.areConfigured { inputClaim.begin(at: turn.now.instant) }
        supervisor?.start(at: turn.now.instant)
    }

    /// Takes up what the timer reports.
    ///
    /// - Parameters:
    ///   - events: what one call of the player reported.
    ///   - before: the player before that call.
    mutating func follow(_ events: [TimerPlayer.Event], from before: TimerPlayer, in turn: inout Turn) {
        lamps.group = player.model.selectedGroup
        let positions = EventPosition.positions(at: events, from: before, to: player, now: turn.now.instant)
        for (event, position) in zip(events, positions) {
            switch event {
            case .tick(let second, _):
                tick(second, in: &turn)
            case .modeChanged(let from, let to, let instant):
                if from == .stopped { startedAt = instant }
                lamps.show(to, since: instant)
                publish(to, in: &turn)
                report(.modeChanged(from: from, to: to), at: instant, position, in: &turn)
            case .movedOn(let from, _, let instant):
                lamps.moveOn(at: instant)
                report(.movedOn(from: from), at: instant, position, in: &turn)
            case .runEnded(let run, let instant):
                startedAt = instant
                report(.runEnded(run), at: instant, position, in: &turn)
            }
        }
        if player.mode == .stopped { startedAt = nil }
    }

    /// Dark first, then goodbye.
    private mutating func terminate(_ turn: Turn) -> [NodeEffect] {
        var turn = turn
        turn.announce(.stopping)
        turn.log(.info, "stopping")
        if supervisor?.isConnected == true {
            turn.answers.append(availability("offline"))
        }
        supervisor?.stop()
        // With the present moment, which is where a machine that is started anew goes on.
        saving.last = nil
        leavesBy = turn.now.instant + Self.longestFarewell
        let outputs = outputStates(lamps.read(at: turn.now.instant))
        return [.releaseOutputs] + turn.firstEffects(outputs: [])
            + turn.laterEffects(
                timers: timersEffects(), state: stateEffects(outputs, at: turn.now), saves: saveEffects(at: turn.now))
            + [.disconnect(patience: .milliseconds(500))]
            + exitEffects(at: turn.now)
    }
}
