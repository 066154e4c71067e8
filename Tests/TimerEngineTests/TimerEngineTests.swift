import FoundationEssentials
import Testing
import TimerEngine

@Suite("The engine, in virtual time")
struct TimerEngineTests {
    @Test("a new engine has nothing to run and stays stopped")
    func new() {
        let engine = TimerEngine()
        #expect((engine.startingTimeInSeconds, engine.warningTimeInSeconds, engine.finalTimeInSeconds) == (0, 0, 0))
        #expect(engine.mode == .stopped && !engine.isTicking)
        #expect(engine.currentTime == 0 && engine.currentPreciseTime == 0)
        #expect(engine.timerDisplay == "")
        #expect(engine.tickHandler == nil && engine.transitionHandler == nil && engine.refCon == nil)

        let bench = Bench(0)
        bench.engine.start()
        #expect(bench.engine.mode == .stopped)
        #expect(bench.recorder.take().isEmpty)
        #expect(!bench.clock.isAwaited)
    }

    @Test("the constants are the published ones")
    func constants() {
        #expect((TimerEngine.maxHours, TimerEngine.maxMinutes, TimerEngine.maxSeconds) == (24, 60, 60))
        #expect((TimerEngine.secondsInMinute, TimerEngine.secondsInHour) == (60, 3600))
    }

    @Test("6/4/2 calls its handlers in order, and has the mode of that second at each tick")
    func run() {
        let bench = Bench(6, 4, 2)
        let modes = Shared<[Mode]>([])
        let tick = bench.recorder.tick
        bench.engine.tickHandler = { engine in
            tick(engine)
            modes.change { $0.append(engine.mode) }
        }
        bench.engine.start()
        bench.advance(100)
        #expect(
            bench.recorder.take() == [
                "0.0: stopped → countdown", "0.0: 6", "1.0: 5", "2.0: 4", "2.0: countdown → warning", "3.0: 3",
                "4.0: 2", "4.0: warning → final", "5.0: 1", "6.0: 0", "6.0: final → alarm",
            ])
        #expect(
            modes.value == [.countdown, .countdown, .warning, .warning, .final, .final, .alarm])
    }

    @Test("an engine that starts immediately has reported its start when the initialiser returns")
    func startImmediately() {
        let clock = ManualClock()
        let recorder = Recorder(clock)
        let engine = TimerEngine(
            startingTimeInSeconds: 10, transitionHandler: recorder.transition, refCon: "mine", startImmediately: true,
            clock: clock, tickHandler: recorder.tick)
        #expect(recorder.take() == ["0.0: stopped → countdown", "0.0: 10"])
        #expect(engine.isTicking)
        #expect(engine.refCon as? String == "mine")
    }

    @Test("it requests one wake-up a second while it runs, and none while it does not")
    func wakeUps() {
        let bench = Bench(10)
        #expect(!bench.clock.isAwaited)
        bench.engine.start()
        bench.advance(2.5)
        #expect(bench.clock.isAwaited)
        bench.engine.pause()
        #expect(!bench.clock.isAwaited)
        bench.engine.resume()
        #expect(bench.clock.isAwaited)
        bench.engine.stop()
        #expect(!bench.clock.isAwaited)
        bench.engine.start()
        bench.advance(10)
        #expect(bench.engine.mode == .alarm && !bench.clock.isAwaited)
    }

    @Test("when woken late, it ticks once and reports each transition")
    func late() {
        let bench = Bench(60, 30, 15)
        bench.engine.start()
        _ = bench.recorder.take()
        bench.clock.jump(by: lasting(46.5))
        #expect(
            bench.recorder.take() == ["46.5: countdown → warning", "46.5: warning → final", "46.5: 14"])
        bench.clock.jump(by: lasting(100))
        #expect(bench.recorder.take() == ["146.5: 0", "146.5: final → alarm"])
    }

    @Test("its values are correct even before it is woken")
    func readingBetween() {
        let bench = Bench(3)
        bench.engine.start()
        bench.advance(1.25)
        #expect(bench.engine.currentTime == 2)
        #expect(bench.engine.currentPreciseTime == 1.75)
        bench.engine.currentTime = 3
        bench.advance(0.5)
        #expect(bench.engine.currentPreciseTime == 2.5)
    }

    @Test("30/15/7, synced by dates, ticks 27, 27 and 29 next; setting the wall clock changes nothing")
    func sync() {
        let bench = Bench(30, 15, 7)
        bench.engine.start()
        bench.advance(20)
        bench.engine.sync(to: 28, date: bench.clock.date)
        _ = bench.recorder.take()
        bench.advance(1)
        #expect(bench.recorder.take() == ["21.0: 27"])

        bench.clock.date.addTimeInterval(3600)
        bench.advance(26)
        _ = bench.recorder.take()
        bench.engine.sync(to: 30, date: bench.clock.date.addingTimeInterval(-3.25))
        #expect(bench.recorder.take() == ["47.0: 27", "47.0: final → countdown"])

        bench.clock.date.addTimeInterval(-7200)
        bench.advance(6)
        #expect(bench.engine.currentPreciseTime == 20.75)
        _ = bench.recorder.take()
        bench.engine.sync(to: 30, date: bench.clock.date.addingTimeInterval(3.25))
        #expect(bench.recorder.take() == [])
        bench.advance(1)
        #expect(bench.recorder.take() == ["54.0: 29"])
    }

    @Test("a sync resumes a paused engine; it is ignored while stopped or during the alarm")
    func syncWhere() {
        let bench = Bench(30)
        bench.engine.sync(to: 20, date: bench.clock.date)
        #expect(bench.engine.mode == .stopped)
        bench.engine.start()
        bench.engine.pause()
        bench.engine.sync(to: 20, date: bench.clock.date)
        #expect(bench.engine.isTicking && bench.engine.currentPreciseTime == 20)
        bench.engine.end()
        bench.engine.sync(to: 20, date: bench.clock.date)
        #expect(bench.engine.mode == .alarm)
        bench.engine.sync(to: 20, date: Date(timeIntervalSinceReferenceDate: -1e300))
        #expect(bench.engine.mode == .alarm)
    }

    @Test("a call from within a handler takes effect at once and is reported after it, in order")
    func reentrance() {
        let bench = Bench(6, 4, 2)
        let tick = bench.recorder.tick
        bench.engine.tickHandler = { [recorder = bench.recorder] engine in
            tick(engine)
            if engine.currentTime == 4 {
                engine.pause()
                recorder.note("paused within: \(engine.mode)")
                engine.resume()
                engine.currentTime = 2
            }
        }
        bench.engine.start()
        bench.advance(3)
        #expect(
            bench.recorder.take() == [
                "0.0: stopped → countdown", "0.0: 6", "1.0: 5", "2.0: 4",
                "2.0: paused within: paused(warning, 2.0)", "2.0: countdown → warning",
                "2.0: warning → paused(warning, 2.0)", "2.0: paused(warning, 2.0) → warning", "2.0: 2",
                "2.0: warning → final", "3.0: 1",
            ])
    }

    @Test("a handler may start the next run from the alarm without losing an event")
    func restart() {
        let bench = Bench(2)
        let transition = bench.recorder.transition
        bench.engine.transitionHandler = { engine, from, to in
            transition(engine, from, to)
            if to == .alarm { engine.start() }
        }
        bench.engine.start()
        bench.advance(4)
        #expect(
            bench.recorder.take() == [
                "0.0: stopped → countdown", "0.0: 2", "1.0: 1", "2.0: 0", "2.0: countdown → alarm",
                "2.0: alarm → countdown", "2.0: 2", "3.0: 1", "4.0: 0", "4.0: countdown → alarm",
                "4.0: alarm → countdown", "4.0: 2",
            ])
        bench.engine.transitionHandler = nil
        bench.engine.stop()
    }

    @Test("its events are also available as sequences, with their due instants", .timeLimit(.minutes(5)))
    func events() async {
        let clock = ManualClock()
        var engine: TimerEngine? = TimerEngine(startingTimeInSeconds: 2, clock: clock)
        let (first, second) = (engine?.events(), engine?.events())
        engine?.start()
        clock.advance(by: .seconds(5))
        engine = nil
        for stream in [first, second] {
            var lines: [String] = []
            if let stream { for await event in stream { lines.append(event.line) } }
            #expect(
                lines == [
                    "0.0: stopped → countdown", "0.0: 2", "1.0: 1", "2.0: 0", "2.0: countdown → alarm",
                ])
        }
    }
}
