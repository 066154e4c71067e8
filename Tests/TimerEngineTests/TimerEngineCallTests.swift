import Foundation
import Testing

@testable import TimerEngine

@Suite("The engine: added time, setting all times at once, the run, and refusals")
struct TimerEngineCallTests {
    @Test("add adds and removes time, continues from the alarm, and throws the reason when refused")
    func add() throws {
        let bench = Bench(10, 5)
        #expect(throws: TimerEngine.Refusal.countdown(.notAllowed(.add, in: .stopped))) { try bench.engine.add(5) }
        bench.engine.start()
        bench.advance(2.5)
        _ = bench.recorder.take()
        try bench.engine.add(30)
        #expect(bench.recorder.take() == ["2.5: 38"])
        #expect(bench.engine.currentPreciseTime == 37.5)
        #expect(throws: TimerEngine.Refusal.countdown(.tooLong(seconds: 86_438))) { try bench.engine.add(86_400) }
        #expect(bench.engine.lastRefusal?.description == "86438 s would be left, more than 86399")
        try bench.engine.add(-60)
        #expect(bench.recorder.take() == ["2.5: 0", "2.5: countdown → alarm"])
        #expect(bench.engine.lastRefusal == nil)
        try bench.engine.add(3)
        #expect(bench.engine.mode == .warning && bench.engine.startingTimeInSeconds == 10)
        bench.advance(3)
        #expect(bench.engine.mode == .alarm)
    }

    @Test("times set together keep their values, although they would be clamped if set one by one")
    func setThresholds() throws {
        let bench = Bench(10, 5, 2)
        bench.engine.start()
        bench.advance(2.5)
        _ = bench.recorder.take()
        let times = try times(60, 9, 8)
        bench.engine.setThresholds(times)
        #expect(bench.engine.thresholds == times)
        #expect(bench.recorder.take() == ["2.5: countdown → final"])
        #expect(bench.engine.currentPreciseTime == 7.5)
    }

    @Test("the instant of zero, the used time and the over time belong to the run and are reset with it")
    func run() throws {
        let bench = Bench(10)
        let engine = bench.engine
        #expect(engine.zero == nil && engine.used == .zero && engine.over == .zero && engine.alarmedSince == nil)
        bench.advance(1)
        engine.start()
        #expect(engine.zero == at(11))
        bench.advance(4)
        engine.pause()
        bench.advance(20)
        #expect(engine.zero == nil && engine.used == .seconds(4))
        engine.resume()
        #expect(engine.zero == at(31))
        bench.advance(7.5)
        #expect(engine.alarmedSince == at(31) && engine.zero == nil)
        #expect((engine.used, engine.over) == (lasting(11.5), lasting(1.5)))
        engine.start()
        #expect((engine.used, engine.over) == (.zero, .zero))
        bench.advance(3)
        #expect((engine.used, engine.over) == (.seconds(3), .zero))
        #expect(engine.clock.now == bench.clock.now)
    }

    @Test("each refused call leaves its reason, and the next successful one clears it")
    func refusals() {
        typealias Refusal = TimerEngine.Refusal
        let bench = Bench(0)
        let engine = bench.engine
        func refused(_ call: (TimerEngine) -> Void) -> Refusal? {
            engine.stop()
            #expect(engine.lastRefusal == nil)
            call(engine)
            return engine.lastRefusal
        }
        #expect(refused { $0.start() } == .countdown(.nothingToRun))
        #expect(refused { $0.pause() } == .countdown(.notAllowed(.pause, in: .stopped)))
        #expect(refused { $0.resume() } == .countdown(.notAllowed(.resume, in: .stopped)))
        #expect(refused { $0.sync(to: 1, date: Date()) } == .countdown(.notAllowed(.sync, in: .stopped)))
        #expect(refused { $0.currentPreciseTime = .nan } == .notANumber)
        var state = engine.asDictionary
        state["startTime"] = nil
        #expect(refused { $0.asDictionary = state } == .noValue("startTime"))
        #expect(refused { $0.resume(state) }?.description == "the saved state lacks startTime, or its type is wrong")
        state["startTime"] = 0
        state["finalTimeInSeconds"] = 5
        guard case .thresholds(let error) = refused({ $0.asDictionary = state }) else {
            Issue.record("\(String(describing: engine.lastRefusal))")
            return
        }
        #expect(error.description == "final 5 is outside 0…0 (below start 0)")
        #expect(bench.recorder.take().isEmpty)
    }

    @Test("a sequence of events continues after the alarm and ends when its task is cancelled", .timeLimit(.minutes(5)))
    func cancelled() async {
        let bench = Bench(1)
        let events = bench.engine.events()
        let lines = Shared<[String]>([])
        let reader = Task {
            for await event in events { lines.change { $0.append(event.line) } }
        }
        for _ in 0..<2 {
            bench.engine.start()
            bench.advance(1)
        }
        while lines.value.count < 8 { await Task.yield() }
        #expect(lines.value.suffix(4) == ["1.0: alarm → countdown", "1.0: 1", "2.0: 0", "2.0: countdown → alarm"])
        #expect(bench.engine.driver.state.withLock(\.streams.count) == 1)
        reader.cancel()
        await reader.value
        #expect(bench.engine.driver.state.withLock(\.streams.isEmpty))
        bench.engine.start()
        #expect(lines.value.count == 8)
    }

    @Test("the main actor receives each event, in order, until the task is cancelled", .timeLimit(.minutes(5)))
    @MainActor
    func mainActor() async {
        var engine: TimerEngine? = Bench(2).engine
        var lines: [String] = []
        let hearing = engine?.onMainActor { event in
            MainActor.assertIsolated()
            lines.append(event.line)
        }
        let other = engine?.onMainActor { _ in lines.append("received by a cancelled task") }
        other?.cancel()
        await other?.value
        engine?.start()
        engine?.end()
        engine = nil
        await hearing?.value
        #expect(lines == ["0.0: stopped → countdown", "0.0: 2", "0.0: countdown → alarm"])
    }
}
