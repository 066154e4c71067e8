public import TimerEngine

/// What the node decides: a state machine that is told what happened and when, and answers what to do.
///
/// Each event first brings the timer up to the present; what follows leaves in one order that others rely on: the
/// outputs, the ticks and the mode, the state, the events, the responses.
public struct NodeCore {
    let configuration: NodeConfiguration
    let topics: Topics

    var countdown: TimerEngine.Countdown
    /// When the present run began.
    var startedAt: TimerEngine.Instant?
    var lamps: Lamps
    var lines = Lines()
    var supervisor: Supervisor?
    var rateLimit: RateLimit
    var repeats = Repeats()
    var refusalLog = TokenBucket(rate: 1, burst: 5)

    /// What was last published, to publish changes alone.
    var published = Published()
    var shown: NodeStatus?

    /// A node that has not begun.
    ///
    /// - Parameter seed: for the jitter of the delays between connection attempts.
    public init(configuration: NodeConfiguration, seed: UInt64) {
        self.configuration = configuration
        let mqtt = configuration.mqtt
        topics = Topics(
            prefix: mqtt?.prefix ?? "timer", node: configuration.node.id, groups: configuration.node.groups)
        countdown = TimerEngine.Countdown(configuration.timers.thresholds)
        lamps = Lamps(table: .podium, names: configuration.gpio.outputs.keys)
        supervisor = mqtt.map { Supervisor(brokers: $0.brokers, seed: seed) }
        rateLimit = RateLimit(perSecond: mqtt?.commandRate ?? 0)
    }

    /// When ``handle(_:at:)`` wants a ``NodeEvent/timePassed``; nil while there is nothing to wait for.
    public var nextInstant: TimerEngine.Instant? {
        [countdown.nextInstant, lines.nextEdge, lines.retryAt, supervisor?.nextInstant].compactMap { $0 }.min()
    }

    /// Takes what happened and returns what to do, in order.
    public mutating func handle(_ event: NodeEvent, at now: Moment) -> [NodeEffect] {
        var turn = Turn(now: now)
        follow(countdown.advance(to: now.instant), in: &turn)
        switch event {
        case .started: start(in: &turn)
        case .timePassed: break
        case .link(let event): handle(event, in: &turn)
        case .outputsAcquired: outputsAcquired(in: &turn)
        case .outputsFailed(let fault): outputsFailed(fault, in: &turn)
        case .storeFailed(let error): turn.log(.error, error.description)
        case .terminate: return terminate(turn)
        }
        retryOutputs(in: &turn)
        superviseConnection(in: &turn)
        return finish(turn)
    }

    private mutating func start(in turn: inout Turn) {
        turn.log(.info, "node \(configuration.node.id) started")
        lines.retryAt = turn.now.instant
        supervisor?.start(at: turn.now.instant)
    }

    /// Takes up what the timer reports.
    mutating func follow(_ events: [TimerEngine.Countdown.Event], in turn: inout Turn) {
        for event in events {
            switch event {
            case .tick(let second, _): tick(second, in: &turn)
            case .transition(let from, let to, let instant):
                if to == .stopped { startedAt = nil } else if from == .stopped { startedAt = instant }
                lamps.show(to, since: instant)
                publish(to, in: &turn)
                report(event: to.name, from: from, at: instant, in: &turn)
            }
        }
    }

    /// Puts what was collected, and what changed, into its order.
    private mutating func finish(_ turn: Turn) -> [NodeEffect] {
        turn.effects(
            lines: lineEffects(at: turn.now.instant), state: stateEffects(at: turn.now),
            status: statusEffects(at: turn.now))
    }

    /// Dark first, then goodbye.
    private mutating func terminate(_ turn: Turn) -> [NodeEffect] {
        var turn = turn
        turn.log(.info, "stopping")
        if supervisor?.isConnected == true {
            turn.answers.append(availability("offline"))
        }
        supervisor?.stop()
        return [.releaseOutputs] + turn.effects(lines: [], state: stateEffects(at: turn.now), status: []) + [
            .disconnect, .exit,
        ]
    }
}
