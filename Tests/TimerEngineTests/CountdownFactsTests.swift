import Testing
import TimerEngine

@Suite("Facts that any countdown must reproduce")
struct CountdownFactsTests {
    @Test("6/4/2 counts 6 5 4 3 2 1 0, each tick before its transition except at the start")
    func run() throws {
        var countdown = Countdown(try times(6, 4, 2))
        var events = try countdown.start(at: at(0))
        events += countdown.play()
        #expect(
            events.lines == [
                "0.0: stopped → countdown", "0.0: 6", "1.0: 5", "2.0: 4", "2.0: countdown → warning", "3.0: 3",
                "4.0: 2", "4.0: warning → final", "5.0: 1", "6.0: 0", "6.0: final → alarm",
            ])
    }

    @Test("the modes at the ticks of 6/4/2 are countdown ×2, warning ×2, final ×2, alarm")
    func modes() throws {
        var countdown = Countdown(try times(6, 4, 2))
        _ = try countdown.start(at: at(0))
        var modes = [countdown.mode]
        while let next = countdown.nextInstant {
            _ = countdown.advance(to: next)
            modes.append(countdown.mode)
        }
        #expect(modes == [.countdown, .countdown, .warning, .warning, .final, .final, .alarm])
    }

    @Test("a run of one second ticks 1 and 0, then raises the alarm")
    func oneSecond() throws {
        var countdown = Countdown(try times(1))
        var events = try countdown.start(at: at(0))
        events += countdown.play()
        #expect(events.lines == ["0.0: stopped → countdown", "0.0: 1", "1.0: 0", "1.0: countdown → alarm"])
    }

    @Test("a run of any length has one more tick than it has seconds", arguments: [1, 2, 3, 10, 61, 3601])
    func tickCount(_ start: Int) throws {
        var countdown = Countdown(try times(start))
        var events = try countdown.start(at: at(0.25))
        events += countdown.play()
        let ticks = events.compactMap { if case .tick(let second, _) = $0 { second } else { nil } }
        #expect(ticks == (0...start).reversed())
    }

    @Test("8/4/2, paused three times, keeps the second shown and raises its alarm at 20.35 s")
    func pauses() throws {
        var countdown = Countdown(try times(8, 4, 2))
        _ = try countdown.start(at: at(0))
        for (time, length, shown) in [(2.1, 5.3, 6), (9.8, 0.2, 4), (12.3, 6.85, 2)] {
            _ = countdown.play(until: at(time))
            #expect(countdown.shownSeconds(at: at(time)) == shown)
            _ = try countdown.pause(at: at(time))
            #expect(countdown.nextInstant == nil)
            #expect(countdown.shownSeconds(at: at(time + length)) == shown)
            _ = try countdown.resume(at: at(time + length))
            #expect(countdown.shownSeconds(at: at(time + length)) == shown)
        }
        #expect(countdown.zero == at(20.35))
        #expect(countdown.play().last?.line == "20.35: final → alarm")
    }

    @Test("a run of 8 s, paused at 2.1 s and resumed 5.3 s later, ticks 5 at 0.9 s after the resume")
    func firstTickAfterPause() throws {
        var countdown = Countdown(try times(8))
        _ = try countdown.start(at: at(0))
        _ = countdown.play(until: at(2.1))
        #expect(try countdown.pause(at: at(2.1)).lines == ["2.1: countdown → paused(countdown, 2.1)"])
        #expect(try countdown.resume(at: at(7.4)).lines == ["7.4: paused(countdown, 2.1) → countdown"])
        #expect(countdown.nextInstant == at(8.3))
        #expect(countdown.advance(to: at(8.3)).lines == ["8.3: 5"])
    }

    @Test(
        "ending 6/4/2 reports the previous mode",
        arguments: [(0, Mode.countdown), (1, .countdown), (3.75, .warning), (5.75, .final)])
    func end(_ time: Double, from: Mode) throws {
        var countdown = Countdown(try times(6, 4, 2))
        _ = try countdown.start(at: at(0))
        _ = countdown.play(until: at(time))
        #expect(countdown.end(at: at(time)) == [.transition(from: from, to: .alarm, at: at(time))])
        #expect(countdown.shownSeconds(at: at(time)) == 0)
        #expect(countdown.nextInstant == nil)
    }

    @Test(
        "stopping 6/4/2 reports the previous mode and shows 6",
        arguments: [(0, Mode.countdown), (1.25, .countdown), (3.75, .warning), (5.75, .final)])
    func stop(_ time: Double, from: Mode) throws {
        var countdown = Countdown(try times(6, 4, 2))
        _ = try countdown.start(at: at(0))
        _ = countdown.play(until: at(time))
        #expect(countdown.stop(at: at(time)) == [.transition(from: from, to: .stopped, at: at(time))])
        #expect(countdown.shownSeconds(at: at(time)) == 6)
        #expect(countdown.nextInstant == nil)
    }

    @Test("30/15/7, synced three times, ticks 27, 27 and 29 next")
    func sync() throws {
        var countdown = Countdown(try times(30, 15, 7))
        _ = try countdown.start(at: at(0))
        _ = countdown.play(until: at(20))
        #expect(try countdown.sync(to: 28, at: at(20), now: at(20)).lines == ["20.0: warning → countdown"])
        #expect(countdown.nextInstant == at(21))
        #expect(countdown.advance(to: at(21)).lines == ["21.0: 27"])

        _ = countdown.play(until: at(47))
        #expect(countdown.shownSeconds(at: at(47)) == 1)
        #expect(
            try countdown.sync(to: 30, at: at(43.75), now: at(47)).lines
                == ["47.0: 27", "47.0: final → countdown"])
        #expect(countdown.zero == at(73.75))

        _ = countdown.play(until: at(53))
        #expect(try countdown.sync(to: 30, at: at(56.25), now: at(53)).lines == [])
        #expect(countdown.nextInstant == at(54))
        #expect(countdown.advance(to: at(54)).lines == ["54.0: 29"])
    }

    @Test("after a stall there is one tick, and each transition has the instant at which it was due")
    func stall() throws {
        var countdown = Countdown(try times(60, 30, 15))
        _ = try countdown.start(at: at(0))
        #expect(countdown.advance(to: at(10.5)).lines == ["10.0: 50"])
        #expect(
            countdown.advance(to: at(46.5)).lines
                == ["30.0: countdown → warning", "45.0: warning → final", "46.0: 14"])
        #expect(countdown.advance(to: at(1000)).lines == ["60.0: 0", "60.0: final → alarm"])
        #expect(countdown.alarmedSince == at(60))
        #expect(countdown.used(at: at(1000)) == lasting(1000))
        #expect(countdown.over(at: at(1000)) == lasting(940))
    }

    @Test("after a stall over the whole run, every transition is reported in order")
    func stallOverAll() throws {
        var countdown = Countdown(try times(6, 4, 2))
        _ = try countdown.start(at: at(0))
        #expect(
            countdown.advance(to: at(100)).lines
                == ["2.0: countdown → warning", "4.0: warning → final", "6.0: 0", "6.0: final → alarm"])
    }
}
