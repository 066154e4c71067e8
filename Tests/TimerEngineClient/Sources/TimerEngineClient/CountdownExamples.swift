import TimerEngine

/// A countdown that is advanced to given instants.
func count() throws -> [TimerEngine.Countdown.Event] {
    var countdown = TimerEngine.Countdown(try TimerEngine.Thresholds(start: 6, warning: 4, final: 2))
    let clock = TimerEngine.SystemClock()

    var events = try countdown.start(at: clock.now)
    while let next = countdown.nextInstant {
        // Sleep until then; this example only pretends to.
        events += countdown.advance(to: next)
    }
    return events
}

/// A refused call, whose error names the call and the mode; nothing changes.
func refused() -> String {
    var countdown = TimerEngine.Countdown(.zero.setting(start: 60))
    do {
        _ = try countdown.pause(at: TimerEngine.Instant(sinceEpoch: .zero))
        return ""
    } catch .notAllowed(let call, let mode) {
        return "\(call) while \(mode)"
    } catch {
        return error.description
    }
}
