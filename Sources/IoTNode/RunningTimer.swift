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
