import FoundationEssentials
import Testing
import TimerEngine

@Suite("A saved engine")
struct TimerEngineSavingTests {
    private func equal(_ left: TimerEngine.StateDictionary, _ right: TimerEngine.StateDictionary) -> Bool {
        left.mapValues { AnyHashable($0) } == right.mapValues { AnyHashable($0) }
    }

    private func state(
        changing key: String? = nil, to value: (any Hashable & Sendable)? = nil
    ) -> TimerEngine.StateDictionary {
        var state: TimerEngine.StateDictionary = [
            "startingTimeInSeconds": 10, "warningTimeInSeconds": 5, "finalTimeInSeconds": 2,
            "id": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "startTime": 6.5, "lastMode": "warning",
        ]
        if let key { state[key] = value }
        return state
    }

    @Test("has six values, with the mode in which it runs, or ran before the pause")
    func dictionary() {
        let bench = Bench(10, 5, 2)
        func expect(_ time: Double, _ mode: String, line: Int = #line) {
            let expected: TimerEngine.StateDictionary = [
                "startingTimeInSeconds": 10, "warningTimeInSeconds": 5, "finalTimeInSeconds": 2,
                "id": bench.engine.id.uuidString, "startTime": time, "lastMode": mode,
            ]
            #expect(equal(bench.engine.asDictionary, expected), "line \(line): \(bench.engine.asDictionary)")
        }
        expect(0, "stopped")
        bench.engine.start()
        bench.advance(2.5)
        expect(2.5, "countdown")
        bench.advance(4)
        #expect(equal(bench.engine.pause(), bench.engine.asDictionary))
        expect(6.5, "warning")
        bench.engine.resume()
        bench.advance(2)
        expect(8.5, "final")
        bench.engine.end()
        expect(10, "stopped")
    }

    @Test("pause returns the state just before, or nothing if the engine was not running")
    func pause() {
        let bench = Bench(10, 5, 2)
        #expect(bench.engine.pause().isEmpty)
        bench.engine.start()
        bench.advance(6.5)
        let state = bench.engine.pause()
        #expect(state["startTime"] as? Double == 6.5)
        #expect(state["lastMode"] as? String == "warning")
        #expect(bench.engine.pause().isEmpty)
        #expect(bench.engine.mode == .paused(mode: .warning, pauseTime: 6.5))
    }

    @Test("a run of 4 s, paused at 2.3 s and resumed in a new engine at 7.0 s, raises its alarm at 8.7 s")
    func resumeElsewhere() {
        let bench = Bench(4)
        bench.engine.start()
        bench.advance(2.3)
        let state = bench.engine.pause()
        bench.advance(4.7)
        _ = bench.recorder.take()
        let other = TimerEngine(clock: bench.clock)
        let resumed = other.resume(
            state, transitionHandler: bench.recorder.transition, tickHandler: bench.recorder.tick)
        #expect(resumed)
        #expect(other.id == bench.engine.id)
        bench.advance(10)
        #expect(
            bench.recorder.take() == [
                "7.0: paused(countdown, 2.3) → countdown", "7.7: 1", "8.7: 0", "8.7: countdown → alarm",
            ])
        #expect(bench.engine.mode == .paused(mode: .countdown, pauseTime: 2.3))
    }

    @Test("without a state only a paused engine resumes")
    func resumeWhere() {
        let bench = Bench(10)
        #expect(!bench.engine.resume())
        bench.engine.start()
        #expect(!bench.engine.resume())
        bench.engine.pause()
        #expect(bench.engine.resume())
        bench.engine.end()
        #expect(!bench.engine.resume())
    }

    @Test("a state may come from a run with added time, and may contain whole numbers")
    func unusualStates() {
        let engine = TimerEngine(clock: ManualClock())
        #expect(engine.resume(state(changing: "startTime", to: 3)))
        #expect(engine.currentPreciseTime == 7)
        #expect(engine.resume(state(changing: "startTime", to: -20.0)))
        #expect(engine.currentPreciseTime == 30)
        #expect(engine.resume(state(changing: "id", to: nil)))
        #expect(engine.id == UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    }

    @Test(
        "a state that lacks a number or is invalid is refused and changes nothing",
        arguments: [
            ("startingTimeInSeconds", nil), ("warningTimeInSeconds", nil), ("finalTimeInSeconds", nil),
            ("startTime", nil), ("lastMode", nil), ("startingTimeInSeconds", "10"), ("startingTimeInSeconds", -1),
            ("startingTimeInSeconds", 0), ("startingTimeInSeconds", 86_400), ("warningTimeInSeconds", 10),
            ("finalTimeInSeconds", 5), ("startTime", 10.0), ("startTime", 11.0), ("startTime", Double.nan),
            ("startTime", Double.infinity), ("startTime", -86_390.0), ("startTime", -1e300), ("lastMode", "running"),
            ("id", "me"), ("id", 7),
        ] as [(String, (any Hashable & Sendable)?)])
    func nonsense(_ key: String, value: (any Hashable & Sendable)?) throws {
        let bench = Bench(20)
        bench.engine.start()
        bench.advance(2.5)
        let before = bench.engine.asDictionary
        _ = bench.recorder.take()
        let resumed = bench.engine.resume(state(changing: key, to: value), tickHandler: { _ in })
        #expect(!resumed)
        #expect(equal(bench.engine.asDictionary, before))
        #expect(bench.engine.isTicking)
        bench.advance(1)
        #expect(bench.recorder.take() == ["3.0: 17"], "the handlers are unchanged")

        if key == "startTime", value as? Double == 10 { return }  // At its end: it can be loaded but not resumed.
        bench.engine.asDictionary = state(changing: key, to: value)
        #expect(bench.engine.isTicking)
    }

    @Test("loading a state stops the engine and shows its starting time")
    func load() {
        let bench = Bench(20)
        bench.engine.start()
        _ = bench.recorder.take()
        bench.engine.asDictionary = state()
        #expect(bench.recorder.take() == ["0.0: countdown → stopped"])
        #expect(bench.engine.mode == .stopped && bench.engine.currentTime == 10)
        #expect((bench.engine.startingTimeInSeconds, bench.engine.warningTimeInSeconds) == (10, 5))
        #expect(bench.engine.finalTimeInSeconds == 2)
        #expect(bench.engine.id == UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        #expect(!bench.clock.isAwaited)
    }
}
