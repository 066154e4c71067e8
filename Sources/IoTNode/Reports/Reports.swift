internal import BrokerLink
internal import FoundationEssentials
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine
internal import TimerProtocol

/// Publishes all of the node's messages. It keeps track of published values, and publishes only changes.
struct Reports: Sendable {
    var topics: Topics
    /// The topics of the previous configuration; nil once the node has connected with the current ones.
    var formerTopics: Topics?
    var discovery: DiscoveryReport
    var health: Health
    /// A tick is published at each second that is a multiple of this number; no ticks are published if it is 0.
    var tickEvery: Int
    /// The values published on this connection; nil without a connection.
    var published: Published?
    var retained = RetainedTopics()
    /// Counts the published states, over all connections.
    private var revision = 0
    /// The broker that the health report names.
    var broker: Broker?
    private var lineFaults = LineFaultReport()
    /// The responses to commands that were executed without a connection.
    var waitingResponses: [NodeEffect] = []
    var unusedResponseTopics = ReportedRejections()
    /// The status that was last shown on the local displays.
    private var shown: NodeStatus?

    init(_ configuration: NodeConfiguration) {
        topics = Topics(configuration)
        discovery = DiscoveryReport(configuration)
        health = Health(
            name: configuration.node.name, interval: configuration.mqtt?.healthInterval ?? .zero)
        tickEvery = Int(configuration.mqtt?.tickEvery.components.seconds ?? 0)
    }

    /// When something must be published; nil for never. Without a connection, everything waits for the next one.
    var nextInstant: Instant? {
        guard isConnected else { return nil }
        return .earliest(health.nextInstant, .earliest(retained.nextInstant, discovery.nextInstant))
    }

    /// The message that the broker publishes when the connection is lost.
    var will: OutgoingMessage {
        OutgoingMessage(topic: topics[.availability], .availability(.offline), retain: true)
    }

    /// Whether there is a connection over which messages can be published.
    var isConnected: Bool { published != nil }

    /// Publishes a retained message, which the broker keeps for future subscribers; nil empties the topic.
    mutating func retain(
        _ message: PublishedMessage?, on kind: TopicKind, at now: Instant
    ) -> NodeEffect {
        let content = message.map { OutgoingMessage.Content.message($0) } ?? .bytes([])
        retained.published(content, on: kind, at: now)
        return .publish(
            OutgoingMessage(topic: topics[kind], content, retain: true))
    }
}

// MARK: - What the timer does

extension Reports {
    /// Publishes the timer's steps.
    ///
    /// - Parameter records: for each step, the record of the run that ended with it, or nil if there is none.
    mutating func publish(
        _ steps: [RunningTimer.Step], _ records: [RunRecord?], into batch: inout EffectBatch
    ) {
        for (step, record) in zip(steps, records) {
            switch step.event {
            case .tick(let second, _): tick(second, into: &batch)
            case .modeChanged(let from, let to, let instant):
                if let message = message(about: to, at: batch.now.instant) { batch.progress.append(message) }
                report(.modeChanged(from: ModeName(from), to: ModeName(to)), at: instant, step.position, into: &batch)
            case .movedOn(let from, _, let instant):
                report(.movedOn(from: from), at: instant, step.position, into: &batch)
            case .runEnded(let run, let instant):
                let kind = EventMessage.Kind.runEnded(used: run.used, over: run.over, run: record)
                report(kind, at: instant, step.position, into: &batch)
            }
        }
    }

    /// Returns the message that publishes a mode; nil if that mode was already published.
    private mutating func message(about mode: Mode, at now: Instant) -> NodeEffect? {
        let mode = ModeName(mode)
        guard published?.mode.update(to: mode) == true else { return nil }
        return retain(.mode(mode), on: .mode, at: now)
    }

    private mutating func tick(_ second: Int, into batch: inout EffectBatch) {
        guard tickEvery > 0, second.isMultiple(of: tickEvery) else { return }
        guard published != nil else { return health.drop() }
        batch.progress.append(
            .publish(OutgoingMessage(topic: topics[.tick], .tick(TickMessage(remaining: second)), qos: .atMostOnce)))
    }

    /// Publishes that a timer has just been edited.
    mutating func edited(_ timer: TimerPath, remaining: Int, into batch: inout EffectBatch) {
        let position = EventPosition(timer: timer, remaining: remaining)
        report(.timerEdited, at: batch.now.instant, position, into: &batch)
    }

    /// Publishes that the record of a run is withdrawn, because the run goes on.
    mutating func runUndone(_ id: UUID, _ timer: RunningTimer, into batch: inout EffectBatch) {
        let now = batch.now.instant
        report(.runUndone(id), at: now, timer.position(at: now), into: &batch)
    }

    /// Publishes that the budget of a group, counted from 1, was spent at an instant.
    mutating func budgetSpent(
        group: Int, at instant: Instant, _ timer: RunningTimer, into batch: inout EffectBatch
    ) {
        report(.budgetSpent(group: group), at: instant, timer.position(at: batch.now.instant), into: &batch)
    }

    /// Publishes that a message to the speaker is shown, or no longer shown.
    mutating func messageChanged(
        from old: Talk.Shown?, to new: Talk.Shown?, _ timer: RunningTimer, into batch: inout EffectBatch
    ) {
        guard old != new else { return }
        let now = batch.now.instant
        let kind = new.map { EventMessage.Kind.message($0.text, attention: $0.attention) } ?? .messageCleared
        report(kind, at: new == nil ? min(old?.until ?? now, now) : now, timer.position(at: now), into: &batch)
    }

    /// Publishes an event about a meeting that is due at a date.
    mutating func meeting(
        _ kind: EventMessage.Kind, date: Date, _ timer: RunningTimer, into batch: inout EffectBatch
    ) {
        let now = batch.now
        report(
            kind, at: now.instant + .seconds(now.date.distance(to: date)), timer.position(at: now.instant), into: &batch
        )
    }

    /// Publishes an event with the instant at which it was due and the timer's position at that instant.
    private mutating func report(
        _ kind: EventMessage.Kind, at instant: Instant, _ position: EventPosition,
        into batch: inout EffectBatch
    ) {
        guard published != nil else { return health.drop() }
        let event = EventMessage(kind: kind, position: position, date: batch.now.date(of: instant))
        batch.events.append(.publish(OutgoingMessage(topic: topics[.event], .event(event))))
    }

    /// Publishes that lines were lost or are held again: once per change, and without a connection as soon as there is
    /// one.
    ///
    /// A fault causes only one event, even if its reason changes before it ends.
    mutating func lines(fault: String?, _ timer: RunningTimer, into batch: inout EffectBatch) {
        let now = batch.now.instant
        lineFaults.note(isFault: fault != nil, at: now) { timer.position(at: now) }
        guard published != nil, lineFaults.consumeNews() else { return }
        let kind = fault.map(EventMessage.Kind.gpioFault) ?? .gpioRecovered("all lines are held")
        report(kind, at: lineFaults.since, lineFaults.position, into: &batch)
    }
}

// MARK: - What follows from the rest

extension Reports {
    /// Publishes model and state if they changed, shows the status, and requests the data for the health report.
    mutating func publishChanges(of node: ShownNode, into batch: inout EffectBatch) {
        let (now, timer) = (node.now, node.timer)
        // The displays convert the status to text, which nothing else must wait for.
        let status = NodeStatus(
            mode: timer.player.mode, remaining: timer.player.countdown.shownSeconds(at: now.instant),
            outputs: node.outputs.levels, timer: timer.player.name.terminalText)
        if shown.update(to: status) {
            batch.status.append(.show(status))
        }
        guard published != nil else { return }
        for kind in retained.consumeDue(at: now.instant) { publishAgain(kind, into: &batch) }
        let timers = timer.timers
        let isOtherModel = published?.timers.update(to: timers) == true
        let parts = OptionalParts(node)
        let areOtherParts = published?.parts.update(to: parts) == true
        let isAnnouncementDue = discovery.repeatIfDue(at: now.instant)
        if isOtherModel || areOtherParts || isAnnouncementDue,
            discovery.update(timers.model, with: parts, into: &batch)
        {
            published?.state = nil
        }
        if isOtherModel, node.follower == nil {
            batch.timers.append(retain(.timers(timers), on: .timers, at: now.instant))
        }
        // A mode change has already been published. This publishes the mode after connecting, or when a client requests
        // it.
        if let message = message(about: timer.player.mode, at: now.instant) { batch.state.append(message) }
        var state = StateMessage(node)
        if published?.state.update(to: state.withoutTick) == true {
            revision += 1
            state.revision = revision
            batch.state.append(retain(.state(state), on: .state, at: now.instant))
        }
        for change in published?.talks.changes(of: node) ?? [] {
            batch.state.append(retain(change.content, on: change.kind, at: now.instant))
        }
        if health.isDue(fault: node.linesFault, at: now.instant) { batch.health.append(.measureMemory) }
    }

    /// Schedules the current value of a topic to be published again.
    private mutating func publishAgain(_ kind: TopicKind, into batch: inout EffectBatch) {
        let now = batch.now.instant
        guard !retained.isEmptied(kind) else { return batch.state.append(retain(nil, on: kind, at: now)) }
        switch kind {
        case .availability: batch.state.append(retain(.availability(.online), on: kind, at: now))
        case .mode: published?.mode = nil
        case .state: published?.state = nil
        case .timers: published?.timers = nil
        case .health: health.ask(at: now)
        case .runs: published?.talks.runs = nil
        case .message: published?.talks.message = nil
        case .agenda: published?.talks.forgetAgenda()
        case .programme: published?.talks.forgetProgramme()
        case .tick, .event, .response: break  // They are not retained.
        }
    }

    /// Publishes the health report.
    ///
    /// - Parameter bytes: the memory that the process uses; nil if that is unknown.
    mutating func publishHealth(
        residentBytes bytes: Int?, linesFault: String?, follow: HealthMessage.Follow?, signals: ModeSignals,
        into batch: inout EffectBatch
    ) {
        guard published != nil, let broker else { return }
        var message = health.message(residentBytes: bytes, broker: broker, linesFault: linesFault, at: batch.now)
        message.follow = follow
        message.signals = signals
        batch.responses.append(retain(.health(message), on: .health, at: batch.now.instant))
    }
}
