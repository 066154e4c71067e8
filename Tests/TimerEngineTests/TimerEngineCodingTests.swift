import FoundationEssentials
import TestSupport
import Testing
import TimerEngine

@Suite("An engine as JSON")
struct TimerEngineCodingTests {
    private func copy(_ engine: TimerEngine, clock: ManualClock) throws -> TimerEngine {
        let decoder = JSONDecoder()
        if let key = TimerEngine.clockKey { decoder.userInfo[key] = clock }
        return try decoder.decode(TimerEngine.self, from: JSONEncoder().encode(engine))
    }

    @Test("is read back from JSON in the same mode with the same time left", arguments: Situation.allCases)
    func codable(_ situation: Situation) throws {
        let bench = Bench(60, 30, 15)
        switch situation {
        case .stopped: break
        case .countdown, .pausedCountdown: bench.engine.start(); bench.advance(5.123456789)
        case .warning, .pausedWarning: bench.engine.start(); bench.advance(35.5)
        case .final, .pausedFinal: bench.engine.start(); bench.advance(50.5)
        case .alarm: bench.engine.end()
        }
        if [.pausedCountdown, .pausedWarning, .pausedFinal].contains(situation) { bench.engine.pause() }

        let other = ManualClock(now: at(5000))
        let copy = try copy(bench.engine, clock: other)
        #expect(copy.mode == bench.engine.mode)
        #expect(copy.currentPreciseTime == bench.engine.currentPreciseTime)
        #expect(copy.id == bench.engine.id)
        #expect(other.isAwaited == copy.isTicking)
        other.advance(by: .seconds(60))
        bench.advance(60)
        #expect(copy.mode == bench.engine.mode)
    }

    @Test("is refused if it is invalid")
    func codableNonsense() throws {
        func decode(_ change: (String, String)) throws {
            let engine = TimerEngine(startingTimeInSeconds: 60, warningTimeInSeconds: 30, clock: ManualClock())
            let text = String(decoding: try JSONEncoder().encode(engine), as: UTF8.self)
            let other = text.replacing(change.0, with: change.1)
            #expect(other != text, "\(text)")
            _ = try JSONDecoder().decode(TimerEngine.self, from: Data(other.utf8))
        }
        #expect(throws: TimerEngine.ThresholdsError.self) {
            try decode((#""warningTimeInSeconds":30"#, #""warningTimeInSeconds":60"#))
        }
        #expect(throws: TimerEngine.CountdownError.self) { try decode((#""startTime":0"#, #""startTime":61"#)) }
        #expect(throws: DecodingError.self) { try decode((#""lastMode":"stopped""#, #""lastMode":"away""#)) }
        #expect(throws: DecodingError.self) { try decode((#""startTime""#, #""start""#)) }
    }
    @Test("has six values with these names")
    func names() throws {
        let data = try JSONEncoder().encode(TimerEngine(startingTimeInSeconds: 60))
        struct AnyValue: Decodable { init(from decoder: any Decoder) {} }
        #expect(
            Set(try JSONDecoder().decode([String: AnyValue].self, from: data).keys) == [
                "startingTimeInSeconds", "warningTimeInSeconds", "finalTimeInSeconds", "id", "startTime", "lastMode",
            ])
    }

    @Test(
        "keeps mode and second at any instant, to the attosecond before and after each second",
        arguments: SeededGenerator.seeds(100))
    func anyInstant(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = Bench(60, 30, 15)
        bench.engine.start()
        bench.advance(Double(Int.random(in: 0...59, using: &random)))
        let near = Int64(10) << Int64.random(in: 0...56, using: &random)
        let step = Duration(secondsComponent: 0, attosecondsComponent: Int64.random(in: 0...near, using: &random))
        bench.clock.advance(by: seed.isMultiple(of: 2) ? step : .seconds(1) - step)
        for _ in 0..<2 {
            let other = ManualClock(now: at(5000))
            let copy = try copy(bench.engine, clock: other)
            #expect(copy.currentTime == bench.engine.currentTime)
            #expect(copy.isTicking == bench.engine.isTicking && copy.mode.unpaused == bench.engine.mode.unpaused)
            #expect(copy.mode.isPaused == bench.engine.mode.isPaused)
            #expect(abs(copy.currentPreciseTime - bench.engine.currentPreciseTime) < 2e-9)
            bench.engine.pause()
        }
    }

    @Test("keeps a second of which an attosecond is left")
    func attosecond() throws {
        let bench = Bench(60)
        bench.engine.start()
        bench.clock.advance(by: .seconds(30) - Duration(secondsComponent: 0, attosecondsComponent: 1))
        #expect(bench.engine.currentTime == 31)
        #expect(try copy(bench.engine, clock: ManualClock()).currentTime == 31)
    }

    @Test(
        "is refused if its run is invalid",
        arguments: [
            (10.0, "stopped"), (60, "stopped"), (61, "stopped"), (0, "alarm"), (59.999, "alarm"), (60, "countdown"),
            (60, "final"), (60, "paused"), (70, "paused"), (30, "countdown"), (45, "countdown"), (29.999, "warning"),
            (45, "warning"), (44.999, "final"), (10, "final"), (-86_340, "countdown"), (-1e300, "countdown"),
            (1e300, "alarm"), (-1.7e308, "paused"),
        ] as [(Double, String)])
    func impossible(_ elapsed: Double, mode: String) throws {
        let text = """
            {"startingTimeInSeconds":60,"warningTimeInSeconds":30,"finalTimeInSeconds":15,
             "startTime":\(elapsed),"lastMode":"\(mode)"}
            """
        #expect(throws: TimerEngine.CountdownError.self) {
            try JSONDecoder().decode(TimerEngine.self, from: Data(text.utf8))
        }
    }

    @Test("keeps added time, and the alarm of a run with added time")
    func added() throws {
        let bench = Bench(60)
        bench.engine.start()
        try bench.engine.add(100)
        bench.advance(1.25)
        #expect(try copy(bench.engine, clock: ManualClock()).currentPreciseTime == 158.75)
        bench.engine.pause()
        #expect(try copy(bench.engine, clock: ManualClock()).mode == .paused(mode: .countdown, pauseTime: -98.75))
        bench.engine.resume()
        bench.advance(200)
        #expect(try copy(bench.engine, clock: ManualClock()).mode == .alarm)
    }
}
