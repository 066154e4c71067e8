internal import TimerEngine
internal import TimerProtocol

extension EventPosition {
    /// The positions at the events of one call, in their order.
    ///
    /// They are found backwards, from where the call ended: a timer that the sequence went on from reached zero at that
    /// instant, so that what was left of it before is known.
    ///
    /// - Parameters:
    ///   - events: what the call reported.
    ///   - before: the player before the call.
    ///   - after: the player after it.
    ///   - now: when the call was made.
    static func positions(
        at events: [TimerPlayer.Event], from before: TimerPlayer, to after: TimerPlayer, now: TimerEngine.Instant
    ) -> [EventPosition] {
        if events.isEmpty { return [] }
        var timer = after.model.selected
        var zero = after.countdown.zero ?? after.countdown.alarmedSince
        var isSequence = false
        let positions = events.reversed().map { event in
            var position = EventPosition(
                timer: timer,
                remaining: zero.map { max(.zero, event.instant.duration(to: $0)).shownSeconds }
                    ?? after.countdown.shownSeconds(at: now))
            switch event {
            case .movedOn(let from, _, let instant): (timer, zero) = (from, instant)
            case .runEnded(let run, let instant):
                // Where the sequence did not go on, the call put an end to the run that there was before.
                let left = isSequence ? 0 : before.countdown.shownSeconds(at: instant)
                position = EventPosition(timer: run.path, remaining: left)
            case .tick, .modeChanged: break
            }
            if case .movedOn = event { isSequence = true } else { isSequence = false }
            return position
        }
        return positions.reversed()
    }
}

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
        _ kind: EventMessage.Kind, at instant: TimerEngine.Instant, _ position: EventPosition,
        into batch: inout EffectBatch
    ) {
        guard reconnection?.isConnected == true else { return health.drop() }
        let event = EventMessage(kind: kind, position: position, date: batch.now.date(of: instant))
        batch.events.append(OutgoingMessage(topic: topics.event, .event(event)))
    }
}
