import FoundationEssentials
import Testing
import TimerEngine

@Suite("The engine's values")
struct TimerEngineSettingTests {
    @Test("setting NaN changes nothing, and a value out of range is clamped")
    func setters() {
        let bench = Bench(10)
        bench.engine.start()
        bench.engine.currentPreciseTime = .nan
        #expect(bench.engine.currentPreciseTime == 10)
        bench.engine.currentPreciseTime = 4.25
        #expect(bench.engine.currentPreciseTime == 4.25 && bench.engine.currentTime == 5)
        bench.engine.currentPreciseTime = .infinity
        #expect(bench.engine.currentPreciseTime == 10)
        bench.engine.currentTime = .max
        #expect(bench.engine.currentTime == 10)
        bench.engine.currentTime = .min
        #expect(bench.engine.mode == .alarm)
        bench.engine.currentTime = 3
        #expect(bench.engine.mode == .paused(mode: .countdown, pauseTime: 7))
        bench.engine.currentPreciseTime = -.infinity
        #expect(bench.engine.mode == .alarm)
    }

    @Test("its times are clamped when set, even while it runs")
    func edits() {
        let engine = TimerEngine(startingTimeInSeconds: 10, warningTimeInSeconds: 12, finalTimeInSeconds: 12)
        #expect((engine.startingTimeInSeconds, engine.warningTimeInSeconds, engine.finalTimeInSeconds) == (10, 9, 8))
        engine.startingTimeInSeconds = 5
        #expect((engine.startingTimeInSeconds, engine.warningTimeInSeconds, engine.finalTimeInSeconds) == (5, 4, 3))
        engine.warningTimeInSeconds = 2
        engine.finalTimeInSeconds = 7
        #expect((engine.warningTimeInSeconds, engine.finalTimeInSeconds) == (2, 1))
        engine.startingTimeInSeconds = 90_000
        #expect(engine.startingTimeInSeconds == 86_399)
        #expect(
            (engine.startRange, engine.warnRange, engine.finalRange, engine.fullRange)
                == (3...86_399, 1...2, 0...0, 0...86_399))

        let bench = Bench(10)
        bench.engine.start()
        bench.advance(2.5)
        _ = bench.recorder.take()
        bench.engine.warningTimeInSeconds = 9
        #expect(bench.recorder.take() == ["2.5: countdown → warning"])
        bench.engine.startingTimeInSeconds = 5
        #expect(bench.recorder.take() == ["2.5: 5", "2.5: warning → countdown"])
        #expect(bench.engine.currentPreciseTime == 5)
    }

    @Test("resetting the paused time goes back to the beginning and stays paused; in other modes it does nothing")
    func resetLastPausedTime() {
        let bench = Bench(10)
        bench.engine.resetLastPausedTime()
        #expect(bench.engine.mode == .stopped)
        bench.engine.start()
        bench.advance(2.5)
        bench.engine.resetLastPausedTime()
        #expect(bench.engine.currentPreciseTime == 7.5)
        bench.engine.pause()
        bench.engine.resetLastPausedTime()
        #expect(bench.engine.mode == .paused(mode: .countdown, pauseTime: 0))
        #expect(bench.engine.resume())
        #expect(bench.engine.currentPreciseTime == 10)
    }

    @Test(
        "the display has hours from an hour up, minutes from a minute up, and is empty at 0",
        arguments: [
            (0, ""), (1, "1"), (9, "9"), (59, "59"), (60, "1:00"), (61, "1:01"), (600, "10:00"), (3599, "59:59"),
            (3600, "1:00:00"), (3661, "1:01:01"), (86_399, "23:59:59"), (-1, ""),
        ])
    func display(_ seconds: Int, text: String) {
        #expect(TimerEngine.timerDisplay(of: seconds) == text)
        if seconds >= 0 { #expect(TimerEngine(startingTimeInSeconds: seconds).timerDisplay == text) }
    }
}
