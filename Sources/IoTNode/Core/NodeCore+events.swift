internal import FoundationEssentials
internal import TimerEngine

/// What the `event` topic tells of.
enum Happening: Hashable, Sendable {
    case modeChanged(from: TimerEngine.Mode, to: TimerEngine.Mode)
    /// The sequence went on from this timer.
    case movedOn(from: TimerPath)
    case runEnded(TimerPlayer.Run)
    case timerEdited
    /// The output lines are not held, and why.
    case gpioFault(String)
    case gpioRecovered(String)

    /// The event type, and the fields that only this kind of event has.
    fileprivate var members: (type: String, fields: [JSON.Member]) {
        switch self {
        case .modeChanged(let from, let to):
            (to.name, [.init(key: "from", value: .string(from.name))])
        case .movedOn(let from):
            ("transition", [.init(key: "from", value: .string(from.description))])
        case .runEnded(let run):
            ("run_ended", [.init(key: "used", value: JSON(run.used)), .init(key: "over", value: JSON(run.over))])
        case .timerEdited:
            ("timer_edited", [])
        case .gpioFault(let message):
            ("gpio_fault", [.init(key: "message", value: .string(message))])
        case .gpioRecovered(let message):
            ("gpio_recovered", [.init(key: "message", value: .string(message))])
        }
    }

}

extension NodeCore {
    /// Where the timer stands now.
    func position(at now: TimerEngine.Instant) -> EventPosition {
        EventPosition(timer: player.model.selected, remaining: player.countdown.shownSeconds(at: now))
    }

    /// Publishes that a timer was edited just now.
    mutating func reportEdit(of timer: TimerPath, in turn: inout Turn) {
        let now = turn.now.instant
        let remaining = position(at: now).remaining
        report(.timerEdited, at: now, EventPosition(timer: timer, remaining: remaining), in: &turn)
    }

    /// Publishes an event, with the instant at which it was due and where the timer stood then.
    mutating func report(
        _ happening: Happening, at instant: TimerEngine.Instant, _ position: EventPosition, in turn: inout Turn
    ) {
        guard supervisor?.isConnected == true else { return health.drop() }
        let (type, fields) = happening.members
        let members: [JSON.Member] =
            [.init(key: "event_type", value: .string(type))] + fields + [
                .init(key: "remaining", value: .integer(position.remaining)),
                .init(key: "timer", value: .string(position.timer.description)),
                .init(key: "at", value: .string(Timestamp.text(turn.now.date(of: instant)))),
            ]
        turn.events.append(Publication(topic: topics.event, .json(.object(members))))
    }
}
