internal import TimerEngine
internal import TimerProtocol

/// What was last published and how often.
struct Published: Hashable, Sendable {
    var mode: ModeName?
    var state: StateReport?
    var timers: TimersMessage?
    var revision = 0

    /// Makes everything new again, so that it is published.
    mutating func forget() {
        mode = nil
        state = nil
        timers = nil
    }
}

/// What is published: only while connected, and only what changed.
extension NodeCore {
    func availability(_ availability: Availability) -> OutgoingMessage {
        OutgoingMessage(topic: topics.availability, .availability(availability), retain: true)
    }

    /// Everything retained, once, after a connection.
    mutating func publishAll(into batch: inout EffectBatch) {
        published.forget()
        batch.connection.append(.publish(availability(.online)))
        publish(player.mode, into: &batch)
    }

    mutating func publish(_ mode: TimerEngine.Mode, into batch: inout EffectBatch) {
        let mode = ModeName(mode)
        guard reconnection?.isConnected == true, published.mode != mode else { return }
        published.mode = mode
        batch.progress.append(OutgoingMessage(topic: topics.mode, .mode(mode), retain: true))
    }

    mutating func tick(_ second: Int, into batch: inout EffectBatch) {
        let every = Int(configuration.mqtt?.tickEvery.components.seconds ?? 0)
        guard every > 0, second.isMultiple(of: every) else { return }
        guard reconnection?.isConnected == true else { return health.drop() }
        batch.progress.append(
            OutgoingMessage(topic: topics.tick, .tick(TickMessage(remaining: second)), qos: .atMostOnce))
    }

    /// Publishes the model where it is another than the last one.
    mutating func timersEffects() -> [NodeEffect] {
        guard reconnection?.isConnected == true else { return [] }
        let timers = TimersMessage(player.model)
        if let last = published.timers, last == timers { return [] }
        published.timers = timers
        return [.publish(OutgoingMessage(topic: topics.timers, .timers(timers), retain: true))]
    }

    /// Publishes the state where it is another than the last one.
    ///
    /// - Parameter outputs: what each output does.
    mutating func stateEffects(_ outputs: [OutputState], at now: Moment) -> [NodeEffect] {
        guard reconnection?.isConnected == true else { return [] }
        let report = StateReport(
            player, startedAt: startedAt, outputs: OutputStates(keys: lamps.keys, states: outputs))
        if let last = published.state, last == report { return [] }
        published.state = report
        published.revision += 1
        let state = StateMessage(
            report, remaining: player.countdown.remaining(at: now.instant), revision: published.revision, at: now)
        return [.publish(OutgoingMessage(topic: topics.state, .state(state), retain: true))]
    }

    /// Shows the status where it is another than the last one.
    mutating func statusEffects(at now: Moment) -> [NodeEffect] {
        let status = NodeStatus(
            mode: player.mode, remaining: player.countdown.shownSeconds(at: now.instant),
            outputs: lines.levels ?? [:], timer: PlainText.shown(player.name))
        if let shown, shown == status { return [] }
        shown = status
        return [.show(status)]
    }
}
