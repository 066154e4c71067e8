internal import TimerEngine

/// What was last published and how often.
struct Published: Hashable, Sendable {
    var mode: String?
    var state: StateReport?
    var revision = 0
}

/// What is published: only while connected, and only what changed.
extension NodeCore {
    func availability(_ status: String) -> Publication {
        Publication(topic: topics.availability, text: status, retain: true)
    }

    /// Everything retained, once, after a connection.
    mutating func publishAll(in turn: inout Turn) {
        published.mode = nil
        published.state = nil
        turn.progress.append(availability("online"))
        publish(countdown.mode, in: &turn)
    }

    mutating func publish(_ mode: TimerEngine.Mode, in turn: inout Turn) {
        let mode = mode.name
        guard supervisor?.isConnected == true, published.mode != mode else { return }
        published.mode = mode
        turn.progress.append(Publication(topic: topics.mode, text: mode, retain: true))
    }

    func tick(_ second: Int, in turn: inout Turn) {
        let every = Int(configuration.mqtt?.tickEvery.components.seconds ?? 0)
        guard supervisor?.isConnected == true, every > 0, second.isMultiple(of: every) else { return }
        turn.progress.append(Publication(topic: topics.tick, text: String(second), qos: .atMostOnce))
    }

    func report(
        event type: String, from mode: TimerEngine.Mode, at instant: TimerEngine.Instant, in turn: inout Turn
    ) {
        guard supervisor?.isConnected == true else { return }
        let event: JSON = [
            "event_type": .string(type),
            "from": .string(mode.name),
            "remaining": .integer(countdown.shownSeconds(at: turn.now.instant)),
            "timer": "1/1",
            "at": .string(Timestamp.text(turn.now.date(of: instant))),
        ]
        turn.events.append(Publication(topic: topics.event, text: event.text))
    }

    /// Publishes the state where it is another than the last one.
    mutating func stateEffects(at now: Moment) -> [NodeEffect] {
        let report = StateReport(
            mode: countdown.mode, thresholds: countdown.thresholds, zero: countdown.zero,
            alarmedSince: countdown.alarmedSince, startedAt: startedAt, timerName: configuration.timers.name,
            outputs: lamps.states(at: now.instant))
        guard supervisor?.isConnected == true, published.state != report else { return [] }
        published.state = report
        published.revision += 1
        let remaining = countdown.remaining(at: now.instant)
        let json = report.json(remaining: remaining, revision: published.revision, at: now)
        return [.publish(Publication(topic: topics.state, text: json.text, retain: true))]
    }

    /// Shows the status where it is another than the last one.
    mutating func statusEffects(at now: Moment) -> [NodeEffect] {
        let status = NodeStatus(
            mode: countdown.mode, remaining: countdown.shownSeconds(at: now.instant), timer: configuration.timers.name)
        guard shown != status else { return [] }
        shown = status
        return [.show(status)]
    }
}
