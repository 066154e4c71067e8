import TimerEngine

/// An engine with handlers, as in the overview.
func runByItself() -> TimerEngine {
    let engine = TimerEngine(
        startingTimeInSeconds: 300, warningTimeInSeconds: 60, finalTimeInSeconds: 15,
        transitionHandler: { _, from, to in print("\(from) → \(to)") },
        startImmediately: true,
        tickHandler: { engine in print(engine.timerDisplay) })
    return engine
}

/// The same events as an asynchronous sequence, up to the alarm.
func follow(_ engine: TimerEngine) async {
    let events = engine.events()
    engine.start()
    for await event in events {
        switch event {
        case .tick(let second, _): print(TimerEngine.timerDisplay(of: second))
        case .transition(_, to: .alarm, _): return print("Time!")
        case .transition: break
        }
    }
}

/// A test in virtual time.
func testInVirtualTime() -> Bool {
    let clock = TimerEngine.ManualClock()
    let engine = TimerEngine(startingTimeInSeconds: 90, startImmediately: true, clock: clock)
    clock.advance(by: .seconds(25))
    return engine.timerDisplay == "1:05"
}

/// A pause from which another engine continues.
func carryOver(from engine: TimerEngine, to other: TimerEngine) -> Bool {
    let state = engine.pause()
    return other.resume(state)
}
