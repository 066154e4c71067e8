import FoundationEssentials
import Testing
import TimerEngine

@Suite("Defects of the published engine that this one does not have")
struct KnownDefectTests {
    @Test("remaining time does not fall while paused")
    func pausedHolds() {
        let bench = Bench(10)
        bench.engine.start()
        bench.advance(2.5)
        bench.engine.pause()
        bench.advance(100)
        #expect(bench.engine.currentPreciseTime == 7.5 && bench.engine.currentTime == 8)
    }

    @Test("a second pause does not lose the position")
    func secondPause() {
        let bench = Bench(10)
        bench.engine.start()
        bench.advance(2.5)
        bench.engine.pause()
        bench.advance(1)
        bench.engine.pause()
        #expect(bench.engine.mode == .paused(mode: .countdown, pauseTime: 2.5))
        bench.engine.resume()
        bench.advance(1)
        bench.engine.pause()
        #expect(bench.engine.mode == .paused(mode: .countdown, pauseTime: 3.5))
        bench.engine.resume()
        #expect(bench.engine.currentPreciseTime == 6.5)
    }

    @Test("a restart during the second second loses no tick")
    func restart() {
        let bench = Bench(5)
        bench.engine.start()
        bench.advance(1.5)
        _ = bench.recorder.take()
        bench.engine.start()
        bench.advance(5)
        #expect(
            bench.recorder.take() == [
                "1.5: 5", "2.5: 4", "3.5: 3", "4.5: 2", "5.5: 1", "6.5: 0", "6.5: countdown → alarm",
            ])
    }

    @Test("reading the time returns the value that was set, which is the remaining time")
    func remainingNotElapsed() {
        let bench = Bench(10)
        bench.engine.start()
        bench.engine.currentPreciseTime = 2.25
        #expect(bench.engine.currentPreciseTime == 2.25)
        #expect(bench.engine.asDictionary["startTime"] as? Double == 7.75)
        bench.engine.currentTime = 9
        #expect(bench.engine.currentTime == 9)
    }

    @Test("a sync while paused resumes the run instead of only ticking")
    func syncWhilePaused() {
        let bench = Bench(10)
        bench.engine.start()
        bench.engine.pause()
        _ = bench.recorder.take()
        bench.engine.sync(to: 5, date: bench.clock.date.addingTimeInterval(-1))
        #expect(bench.recorder.take() == ["0.0: 4", "0.0: paused(countdown, 0.0) → countdown"])
        bench.advance(1)
        #expect(bench.recorder.take() == ["1.0: 3"])
    }

    @Test("a timer of one second fires")
    func oneSecond() {
        let bench = Bench(1)
        bench.engine.start()
        bench.advance(1)
        #expect(
            bench.recorder.take() == [
                "0.0: stopped → countdown", "0.0: 1", "1.0: 0", "1.0: countdown → alarm",
            ])
    }

    @Test("a timer of 0 s does not run forever")
    func noTime() {
        let bench = Bench(0)
        bench.engine.start()
        bench.advance(100)
        #expect(bench.recorder.take().isEmpty && bench.engine.mode == .stopped)
    }

    @Test("setting the wall clock forward or back changes nothing")
    func wallClock() {
        let bench = Bench(10)
        bench.engine.start()
        bench.advance(2)
        bench.clock.date.addTimeInterval(3600)
        bench.advance(2)
        #expect(bench.engine.currentPreciseTime == 6)
        bench.clock.date.addTimeInterval(-7200)
        bench.advance(2)
        #expect(bench.engine.currentPreciseTime == 4)
    }
}
