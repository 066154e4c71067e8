internal import FoundationEssentials
internal import TimerEngine

/// What the `event` topic tells of.
struct EventReport: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case modeChanged(from: TimerEngine.Mode, to: TimerEngine.Mode)
        /// The sequence went on from this timer.
        case movedOn(from: TimerPath)
        case runEnded(TimerPlayer.Run)
        case timerEdited
        /// The output lines are not held, and why.
        case gpioFault(String)
        case gpioRecovered(String)
    }

    let kind: Kind
    let position: EventPosition
    /// When it was due.
    let date: Date

    /// The payload.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            kind.write(to: &writer)
            writer.member(.remaining, position.remaining)
            writer.member(.timer, position.timer)
            writer.member(.at, date)
        }
        return writer.bytes
    }
}

extension EventReport.Kind {
    /// Writes the event type, and the fields that only this kind of event has.
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .modeChanged(let from, let to):
            writer.member(.eventType, to.name)
            writer.member(.from, from.name)
        case .movedOn(let from):
            writer.member(.eventType, "transition")
            writer.member(.from, from)
        case .runEnded(let run):
            writer.member(.eventType, "run_ended")
            writer.member(.used, run.used)
            writer.member(.over, run.over)
        case .timerEdited:
            writer.member(.eventType, "timer_edited")
        case .gpioFault(let message):
            writer.member(.eventType, "gpio_fault")
            writer.member(.message, message)
        case .gpioRecovered(let message):
            writer.member(.eventType, "gpio_recovered")
            writer.member(.message, message)
        }
    }
}
