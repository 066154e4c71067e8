internal import TimerEngine

extension NodeCore {
    /// Where the timer stands now.
    func position(at now: TimerEngine.Instant) -> EventPosition {
        EventPosition(timer: player.model.selected, remaining: player.countdown.shownSeconds(at: now))
    }

    /// Publishes that a timer was edited just now.
    mutating func reportEdit(of timer: TimerPath, into batch: inout EffectBatch) {
        let now = batch.now.instant
        let remaining = position(at: now).remaining
        report(.timerEdited, at: now, EventPosition(timer: timer, remaining: remaining), into: &batch)
    }

    /// Publishes an event, with the instant at which it was due and where the timer stood then.
    mutating func report(
        _ kind: EventReport.Kind, at instant: TimerEngine.Instant, _ position: EventPosition,
        into batch: inout EffectBatch
    ) {
        guard reconnection?.isConnected == true else { return health.drop() }
        let report = EventReport(kind: kind, position: position, date: batch.now.date(of: instant))
        batch.events.append(OutgoingMessage(topic: topics.event, .event(report)))
    }
}
