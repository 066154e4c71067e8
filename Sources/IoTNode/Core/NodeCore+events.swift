internal import FoundationEssentials
internal import TimerEngine

/// What the `event` topic tells of.
enum Happening: Hashable, Sendable {
    case modeChanged(from: TimerEngine.Mode, to: TimerEngine.Mode)
    /// The sequence went on from this timer.
    case movedOn(from: TimerPath)
    case runEnded(TimerPlayer.Run)
    case timerEdited(TimerPath)
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

    /// The timer that it is about, where that is not the selected one.
    fileprivate var timer: TimerPath? {
        switch self {
        case .runEnded(let run): run.path
        case .timerEdited(let path): path
        case .modeChanged, .movedOn, .gpioFault, .gpioRecovered: nil
        }
    }
}

extension NodeCore {
    /// Publishes an event, with the instant at which it was due.
    mutating func report(_ happening: Happening, at instant: TimerEngine.Instant, in turn: inout Turn) {
        guard supervisor?.isConnected == true else { return health.drop() }
        let (type, fields) = happening.members
        let members: [JSON.Member] =
            [.init(key: "event_type", value: .string(type))] + fields + [
                .init(key: "remaining", value: .integer(player.countdown.shownSeconds(at: turn.now.instant))),
                .init(key: "timer", value: .string((happening.timer ?? player.model.selected).description)),
                .init(key: "at", value: .string(Timestamp.text(turn.now.date(of: instant)))),
            ]
        turn.events.append(Publication(topic: topics.event, .json(.object(members))))
    }
}
