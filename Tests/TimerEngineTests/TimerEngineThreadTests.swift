import Foundation
import TestSupport
import Testing
import TimerEngine

@Suite("The engine on the system clock and on several threads")
struct TimerEngineThreadTests {
    @Test("needs no run loop: it ticks on its own, and no tick is early")
    func ticks() {
        let ticks = Shared<[(Int, TimerEngine.Instant)]>([])
        let clock = TimerEngine.SystemClock()
        let start = clock.now
        let engine = TimerEngine(startingTimeInSeconds: 2, startImmediately: true) { engine in
            ticks.change { $0.append((engine.currentTime, clock.now)) }
        }
        #expect(eventually { engine.mode == .alarm && ticks.value.last?.0 == 0 })
        let all = ticks.value
        #expect(all.first?.0 == 2)
        #expect(all.map(\.0) == all.map(\.0).sorted(by: >), "a stalled machine may skip a tick")
        for tick in all {
            #expect(start.duration(to: tick.1) >= .seconds(2 - tick.0), "no tick is early")
        }
    }

    @Test("a running engine keeps itself alive until its alarm, and is then released")
    func keepsItselfAlive() {
        let clock = ManualClock()
        weak var engine: TimerEngine?
        do {
            let strong = TimerEngine(startingTimeInSeconds: 2, startImmediately: true, clock: clock)
            engine = strong
        }
        clock.advance(by: .seconds(1))
        #expect(engine?.currentTime == 1)
        clock.advance(by: .seconds(1))
        #expect(engine == nil)
        #expect(!clock.isAwaited)
    }

    @Test("a running engine reaches its alarm on the system clock without any other reference to it")
    func keepsItselfAliveForReal() {
        let alarms = Shared(0)
        weak var engine: TimerEngine?
        do {
            let strong = TimerEngine(
                startingTimeInSeconds: 1,
                transitionHandler: { _, _, to in if to == .alarm { alarms.change { $0 += 1 } } },
                startImmediately: true)
            engine = strong
        }
        #expect(eventually { engine == nil })
        #expect(alarms.value == 1)
    }

    @Test(
        "an engine that is stopped or paused is released, on either clock", arguments: [true, false],
        [true, false])
    func released(byPause: Bool, manual: Bool) {
        weak var engine: TimerEngine?
        do {
            let clock: any TimerEngine.Clock = manual ? ManualClock() : TimerEngine.SystemClock()
            let strong = TimerEngine(startingTimeInSeconds: 3600, startImmediately: true, clock: clock)
            engine = strong
            if byPause { strong.pause() } else { strong.stop() }
        }
        #expect(eventually { engine == nil })
    }

    @Test("an engine that was never started is released at once")
    func neverStarted() {
        weak var engine: TimerEngine?
        do {
            let strong = TimerEngine(startingTimeInSeconds: 5)
            engine = strong
        }
        #expect(engine == nil)
    }

    @Test("calls from many threads are all reported in order, one at a time", .timeLimit(.minutes(5)))
    func manyThreads() async {
        let mode = Shared(Mode.stopped)
        let broken = Shared(0)
        let within = Shared(0)
        var seeds = SeededGenerator(printedFor: "TimerEngineThreadTests.manyThreads")
        let coins = Shared(SeededGenerator(seed: seeds.next()))
        let engine = TimerEngine(
            startingTimeInSeconds: 20, warningTimeInSeconds: 12, finalTimeInSeconds: 5,
            transitionHandler: { engine, from, to in
                if within.change({
                    $0 += 1; return $0
                }) != 1 {
                    broken.change { $0 += 1 }
                }
                mode.change { mode in
                    if from != mode, from != mode.unpaused { broken.change { $0 += 1 } }
                    mode = to
                }
                if case .paused = to, coins.change({ Bool.random(using: &$0) }) { engine.resume() }
                within.change { $0 -= 1 }
            },
            tickHandler: { engine in
                if within.change({
                    $0 += 1; return $0
                }) != 1 {
                    broken.change { $0 += 1 }
                }
                _ = (engine.currentTime, engine.mode, engine.asDictionary)
                within.change { $0 -= 1 }
            })
        await withTaskGroup { group in
            for seed in (0..<8).map({ _ in seeds.next() }) {
                group.addTask {
                    var random = SeededGenerator(seed: seed)
                    for _ in 0..<300 {
                        switch Int.random(in: 0..<10, using: &random) {
                        case 0: engine.start()
                        case 1: engine.stop()
                        case 2: engine.end()
                        case 3: engine.pause()
                        case 4: engine.resume()
                        case 5: engine.currentPreciseTime = Double.random(in: 0...20, using: &random)
                        case 6: engine.sync(to: 9, date: Date())
                        case 7: engine.warningTimeInSeconds = Int.random(in: 0...19, using: &random)
                        case 8: engine.asDictionary = engine.asDictionary
                        default: _ = engine.timerDisplay
                        }
                    }
                }
            }
        }
        engine.stop()
        #expect(eventually { within.value == 0 })
        #expect(mode.value == .stopped)
        #expect(broken.value == 0)
    }

    @Test("another thread's call takes effect while a handler is busy, and is reported after it")
    func busyHandler() {
        let entered = Shared(false)
        let stopped = Shared(false)
        let order = Shared<[String]>([])
        let engine = TimerEngine(
            startingTimeInSeconds: 60,
            transitionHandler: { _, _, to in order.change { $0.append(to.description) } },
            tickHandler: { _ in
                entered.change { $0 = true }
                _ = eventually { stopped.value }
                order.change { $0.append("tick returns") }
            })
        // This needs its own thread: a task might have to wait until tests that run in parallel free their threads.
        let modeAfterStop = Shared<TimerEngine.Mode?>(nil)
        Thread.detachNewThread {
            _ = eventually { entered.value }
            engine.stop()
            modeAfterStop.change { $0 = engine.mode }
            stopped.change { $0 = true }
        }
        engine.start()
        #expect(modeAfterStop.value == .stopped)
        #expect(order.value == ["countdown", "tick returns", "stopped"])
    }
}
