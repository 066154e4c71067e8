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
