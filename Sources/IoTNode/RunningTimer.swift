internal import TimerEngine
internal import TimerProtocol

/// The player, and when its present run began.
struct RunningTimer: Hashable, Sendable {
    /// Something that the player reported, with where the timer stood then.
    struct Step: Hashable, Sendable {
        let event: TimerPlayer.Event
        let position: EventPosition
    }

    private(set) var player: TimerPlayer
    private(set) var startedAt: TimerEngine.Instant?

    init(_ player: TimerPlayer, startedAt: TimerEngine.Instant? = nil) {
        self.player = player
        self.startedAt = player.mode == .stopped ? nil : startedAt
    }

    var nextInstant: TimerEngine.Instant? { player.nextInstant }

    /// Brings the timer up to the present.
    mutating func advance(to now: TimerEngine.Instant) -> [Step] {
        let before = player
        return steps(of: player.advance(to: now), from: before, at: now)
    }

    /// Calls the player; where that fails nothing has changed.
    mutating func act<Failure: Error>(
        at now: TimerEngine.Instant, _ action: (inout TimerPlayer) throws(Failure) -> [TimerPlayer.Event]
    ) throws(Failure) -> [Step] {
        let before = player
        return steps(of: try action(&player), from: before, at: now)
    }

    private mutating func steps(
        of events: [TimerPlayer.Event], from before: TimerPlayer, at now: TimerEngine.Instant
    ) -> [Step] {
        for event in events {
            switch event {
            case .modeChanged(from: .stopped, to: _, let instant), .runEnded(_, let instant): startedAt = instant
            case .modeChanged, .movedOn, .tick: break
            }
        }
        if player.mode == .stopped { startedAt = nil }
        let positions = EventPosition.positions(at: events, from: before, to: player, now: now)
        return zip(events, positions).map { Step(event: $0, position: $1) }
    }

    /// Where the timer stands now.
    func position(at now: TimerEngine.Instant) -> EventPosition {
        EventPosition(timer: player.model.selected, remaining: player.countdown.shownSeconds(at: now))
    }
}

extension EventPosition {
    /// The positions at the events of one call, in their order.
    ///
    /// They are computed backwards, from where the call ended: when the sequence moves on, the timer before it had reached
    /// zero at that instant, so its remaining time at earlier instants is known.
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
                // If the sequence did not move on, the call itself ended the run.
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
