import FoundationEssentials
import Testing
import TimerEngine

@Suite("A player engine")
struct PlayerEngineTests {
    private let clock = ManualClock()
    private let lines = Shared<[String]>([])

    private func engine(_ groups: [[(Int, Int, Int)]]) throws -> PlayerEngine {
        let lines = lines
        return PlayerEngine(try player(groups).model, clock: clock) { _, event in
            lines.change { $0.append(event.line) }
        }
    }

    private func take() -> [String] {
        lines.change { lines in
            defer { lines = [] }
            return lines
        }
    }

    @Test("plays a sequence to its alarm without a loop in the program")
    func sequence() throws {
        let engine = try engine([[(3, 2, 0), (2, 0, 0)]])
        try engine.start()
        clock.advance(by: .seconds(10))
        #expect(
            take() == [
                "0.0: stopped → countdown", "0.0: 3", "1.0: 2", "1.0: countdown → warning", "2.0: 1",
                "3.0: 0", "3.0: 1/1 used 3.0 over 0.0", "3.0: 1/1 ⇒ 1/2", "3.0: warning → countdown", "3.0: 2",
                "4.0: 1", "5.0: 0", "5.0: countdown → alarm",
            ])
        #expect(engine.mode == .alarm && engine.model.selected == TimerPath(group: 0, item: 1))
        #expect((engine.used, engine.over) == (.seconds(7), .seconds(5)))
        #expect(!clock.isAwaited)
    }

    @Test("behaves the same on the system clock as in virtual time")
    func real() throws {
        let modes = Shared<[String]>([])
        let engine = PlayerEngine(try player([[(1, 0, 0), (1, 0, 0)]]).model) { _, event in
            if case .tick = event { return }
            modes.change { $0.append(event.line.split(separator: ": ").last.map(String.init) ?? "") }
        }
        try engine.start()
        #expect(eventually { engine.mode == .alarm && modes.value.count == 4 })
        #expect(modes.value == ["stopped → countdown", "1/1 used 1.0 over 0.0", "1/1 ⇒ 1/2", "countdown → alarm"])
    }

    @Test("returns current values, and requests one wake-up a second only while it runs")
    func readings() throws {
        let engine = try engine([[(100, 0, 0), (7, 0, 0)], [(9, 0, 0)]])
        #expect((engine.currentTime, engine.timerDisplay, engine.mode) == (100, "1:40", .stopped))
        #expect(engine.zero == nil && !clock.isAwaited)
        try engine.start()
        clock.advance(by: lasting(2.5))
        #expect((engine.remaining, engine.currentTime, engine.timerDisplay) == (lasting(97.5), 98, "1:38"))
        #expect(engine.zero == at(100) && engine.player.upNext == TimerPath(group: 0, item: 1))
        #expect(clock.isAwaited)
        try engine.pause()
        #expect(!clock.isAwaited)
        try engine.resume()
        engine.stop()
        #expect(!clock.isAwaited && engine.player.lastRun?.used == lasting(2.5))
    }

    @Test("performs each action of a player, or throws its error and changes nothing")
    func actions() throws {
        let engine = try engine([[(10, 0, 0), (20, 0, 0)], [(30, 0, 0)]])
        #expect(throws: PlayerError.countdown(.notAllowed(.pause, in: .stopped))) { try engine.pause() }
        #expect(throws: PlayerError.model(.noTimer(at: try path("3/1")))) { try engine.select(path("3/1")) }
        #expect(take().isEmpty)

        try engine.select(path("1/2"))
        try engine.toggle()
        try engine.add(5)
        #expect(engine.currentTime == 25)
        try engine.setRemaining(lasting(12.5))
        try engine.sync(to: 9, date: clock.date.addingTimeInterval(-2))
        #expect(engine.remaining == .seconds(7))
        #expect(throws: PlayerError.model(.noNext(after: try path("1/2")))) { try engine.next() }
        try engine.next(within: .model)
        #expect(engine.model.selected == (try path("2/1")) && engine.mode == .countdown)
        try engine.previous(within: .model)
        engine.rewind()
        #expect(engine.model.selected == (try path("1/1")) && engine.mode == .stopped)
        try engine.start(path("1/1"))
        try engine.fastForward()
        #expect(engine.model.selected == (try path("1/2")) && engine.mode == .countdown)
        try engine.start(TimerPlayer.OneOff(thresholds: times(5), name: "Break"))
        #expect(engine.player.name == "Break")
        engine.end()
        #expect(engine.mode == .alarm)
        engine.stop()
        #expect(engine.mode == .stopped)
    }

    @Test("edits its model while it runs; if the closure throws any error, nothing changes")
    func edit() throws {
        struct Other: Error {}
        let engine = try engine([[(10, 0, 0)]])
        try engine.start()
        try engine.edit { try $0.edit($0.selected) { $0.thresholds = $0.thresholds.setting(warning: 9) } }
        clock.advance(by: .seconds(1))
        #expect(engine.mode == .warning)
        let before = engine.player
        #expect(throws: PlayerError.model(.lastTimer)) { try engine.edit { try $0.deleteGroup(0) } }
        #expect(throws: Other.self) {
            try engine.edit { model in
                try model.duplicateGroup(0)
                throw Other()
            }
        }
        #expect(engine.player == before)
    }

    @Test("continues with a saved player, and first reports everything that has fallen due since")
    func resuming() throws {
        var saved = try player([[(4, 0, 0), (30, 0, 0)]])
        _ = try saved.start(at: at(0))
        clock.advance(by: lasting(14.5))
        let lines = lines
        let engine = try PlayerEngine(resuming: saved, clock: clock) { _, event in
            lines.change { $0.append(event.line) }
        }
        #expect(take() == ["4.0: 1/1 used 4.0 over 0.0", "4.0: 1/1 ⇒ 1/2", "14.0: 20"])
        clock.advance(by: .seconds(1))
        #expect(take() == ["15.0: 19"])
        #expect(engine.zero == at(34))
    }

    @Test("stays alive during a run, and may be called by its handler")
    func lifetime() throws {
        weak var weakEngine: PlayerEngine?
        do {
            let strong = PlayerEngine(try player([[(2, 0, 0)]]).model, clock: clock) { engine, event in
                if case .tick(1, _) = event { try? engine.setRemaining(lasting(0.5)) }
            }
            weakEngine = strong
            try strong.start()
        }
        clock.advance(by: lasting(1.25))
        #expect(weakEngine?.remaining == lasting(0.25))
        weakEngine?.handler = nil
        clock.advance(by: .seconds(1))
        #expect(weakEngine == nil)
    }

    @Test("provides sequences of its events, and calls on the main actor", .timeLimit(.minutes(5)))
    @MainActor
    func events() async throws {
        var engine: PlayerEngine? = try engine([[(2, 0, 0)]])
        var heard: [String] = []
        let hearing = engine?.onMainActor { heard.append($0.line) }
        let stream = engine?.events()
        try engine?.start()
        engine?.end()
        engine = nil
        await hearing?.value
        var lines: [String] = []
        if let stream { for await event in stream { lines.append(event.line) } }
        #expect(heard == ["0.0: stopped → countdown", "0.0: 2", "0.0: countdown → alarm"])
        #expect(lines == heard)
    }
}
