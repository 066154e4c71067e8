package import FoundationEssentials
package import TimerEngine

/// What the `event` topic tells of.
package struct EventReport: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case modeChanged(from: TimerEngine.Mode, to: TimerEngine.Mode)
        /// The sequence went on from this timer.
        case movedOn(from: TimerPath)
        case runEnded(TimerPlayer.Run)
        case timerEdited
        /// The output lines are not held, and why.
        case gpioFault(String)
        case gpioRecovered(String)
    }

    package let kind: Kind
    package let position: EventPosition
    /// When it was due.
    package let date: Date

    package init(kind: Kind, position: EventPosition, date: Date) {
        self.kind = kind
        self.position = position
        self.date = date
    }

    package /// The payload.
        var bytes: [UInt8]
    {
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

/// Where the timer stood at the instant of an event, which may have passed some time ago.
package struct EventPosition: Hashable, Sendable {
    /// The timer that was selected.
    package let timer: TimerPath
    /// The seconds that were left of it, as a display showed them.
    package let remaining: Int

    package init(timer: TimerPath, remaining: Int) {
        self.timer = timer
        self.remaining = remaining
    }
}
