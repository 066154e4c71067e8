import FoundationEssentials
import TestSupport
import Testing
import TimerEngine

/// Returns a player with groups of timers that have these thresholds.
func player(
    _ groups: [[(Int, Int, Int)]], atZero: TimerGroup.AtZero = .next, startImmediately: Bool = true
) throws -> TimerPlayer {
    let groups = try groups.map { group in
        TimerGroup(
            atZero: atZero,
            timers: try group.map { TimerItem(name: "\($0.0)", thresholds: try times($0.0, $0.1, $0.2)) })
    }
    return TimerPlayer(
        try TimerModel(groups: groups, settings: .init(startTimerImmediately: startImmediately)))
}

@Suite("A sequence")
struct TimerPlayerSequenceTests {
    @Test("continues at zero: tick 0, the end of the run, the next timer, its mode and its first tick, at one instant")
    func boundary() throws {
        var player = try player([[(4, 3, 2), (3, 2, 0)]])
        var events = try player.start(at: at(0))
        events += player.play()
        #expect(
            events.lines == [
                "0.0: stopped → countdown", "0.0: 4", "1.0: 3", "1.0: countdown → warning", "2.0: 2",
                "2.0: warning → final", "3.0: 1",
                "4.0: 0", "4.0: 1/1 used 4.0 over 0.0", "4.0: 1/1 ⇒ 1/2", "4.0: final → countdown", "4.0: 3",
                "5.0: 2", "5.0: countdown → warning", "6.0: 1", "7.0: 0", "7.0: warning → alarm",
            ])
        #expect(player.model.selected == (try path("1/2")))
    }

    @Test("reports no mode change at a boundary if the mode stays the same, and skips timers of 0 s")
    func sameMode() throws {
        var player = try player([[(2, 0, 0), (0, 0, 0), (1, 0, 0), (0, 0, 0)]])
        var events = try player.start(at: at(0))
        events += player.play()
        #expect(
            events.lines == [
                "0.0: stopped → countdown", "0.0: 2", "1.0: 1",
                "2.0: 0", "2.0: 1/1 used 2.0 over 0.0", "2.0: 1/1 ⇒ 1/3", "2.0: 1",
                "3.0: 0", "3.0: countdown → alarm",
            ])
    }

    @Test("ends with the group")
    func groupEnd() throws {
        var player = try player([[(2, 0, 0)], [(3, 0, 0)]])
        _ = try player.start(at: at(0))
        #expect(player.play().last?.line == "2.0: countdown → alarm")
        #expect(player.model.selected == (try path("1/1")))
    }

    @Test("does not happen in a group of speakers who take turns")
    func atZeroAlarm() throws {
        var player = try player([[(2, 0, 0), (3, 0, 0)]], atZero: .alarm)
        #expect(player.upNext == nil)
        _ = try player.start(at: at(0))
        #expect(player.play().last?.line == "2.0: countdown → alarm")
    }

    @Test("loses no time, however late the player is woken", arguments: SeededGenerator.seeds(50))
    func noLostTime(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var player = try player([[(7, 3, 2), (5, 0, 0), (9, 4, 0), (6, 0, 3)]])
        var events = try player.start(at: at(0))
        var now = at(0)
        while player.mode != .alarm {
            now = now + .milliseconds(Int.random(in: 1...8000, using: &random))
            let step = player.advance(to: now)
            #expect(Set(step.compactMap { if case .tick(_, let due) = $0 { due } else { nil as Instant? } }).count <= 1)
            #expect(step.map(\.instant) == step.map(\.instant).sorted())
            events += step
        }
        #expect(
            events.compactMap { if case .movedOn = $0 { $0.line } else { nil } }
                == ["7.0: 1/1 ⇒ 1/2", "12.0: 1/2 ⇒ 1/3", "21.0: 1/3 ⇒ 1/4"])
        #expect(
            events.compactMap { if case .modeChanged = $0 { $0.line } else { nil } } == [
                "0.0: stopped → countdown", "4.0: countdown → warning", "5.0: warning → final",
                "7.0: final → countdown", "17.0: countdown → warning", "21.0: warning → countdown",
                "24.0: countdown → final", "27.0: final → alarm",
            ])
        #expect(player.countdown.alarmedSince == at(27))
    }

    @Test("ticks only the current second after a stall over a boundary")
    func stall() throws {
        var player = try player([[(4, 0, 2), (10, 0, 0)]])
        _ = try player.start(at: at(0))
        #expect(
            player.advance(to: at(7.5)).lines == [
                "2.0: countdown → final", "4.0: 1/1 used 4.0 over 0.0", "4.0: 1/1 ⇒ 1/2", "4.0: final → countdown",
                "7.0: 7",
            ])
    }

    @Test("is interrupted by end, but not by setting or reducing the time to 0, a sync past zero, or fast forward")
    func whatBreaksIt() throws {
        let all: [(String, (inout TimerPlayer) throws -> [TimerPlayer.Event])] = [
            ("set", { $0.setRemaining(.zero, at: at(1.5)) }), ("add", { try $0.add(-30, at: at(1.5)) }),
            ("sync", { try $0.sync(to: 0, at: at(1.5), now: at(1.5)) }),
            ("fastForward", { $0.fastForward(at: at(1.5)) }),
        ]
        for (name, action) in all {
            var player = try player([[(4, 3, 2), (3, 2, 0)]])
            _ = try player.start(at: at(0))
            _ = player.play(until: at(1.5))
            #expect(
                try action(&player).lines == [
                    "1.5: 0", "1.5: 1/1 used 1.5 over 0.0", "1.5: 1/1 ⇒ 1/2", "1.5: warning → countdown", "1.5: 3",
                ], "\(name)")
            #expect(player.countdown.zero == at(4.5))
        }
        var player = try player([[(4, 3, 2), (3, 2, 0)]])
        _ = try player.start(at: at(0))
        #expect(player.end(at: at(1.5)).lines == ["1.0: 3", "1.0: countdown → warning", "1.5: warning → alarm"])
        #expect(player.model.selected == (try path("1/1")))
    }

    @Test("continues after a sync past zero from the instant at which zero was due, without losing time")
    func syncPastZero() throws {
        var player = try player([[(10, 4, 0), (20, 0, 0), (30, 0, 0)]])
        _ = try player.start(at: at(0))
        _ = player.play(until: at(5.5))
        var other = player
        #expect(
            try player.sync(to: 1, at: at(1.5), now: at(5.5)).lines == [
                "2.5: 1/1 used 2.5 over 0.0", "2.5: 1/1 ⇒ 1/2", "5.5: 17",
            ])
        #expect(player.countdown.zero == at(22.5))
        #expect(player.countdown.used(at: at(5.5)) == lasting(3))

        #expect(
            try other.sync(to: 1, at: at(-20), now: at(5.5)).lines == [
                "-19.0: 1/1 used 0.0 over 0.0", "-19.0: 1/1 ⇒ 1/2", "1.0: 1/2 used 20.0 over 0.0", "1.0: 1/2 ⇒ 1/3",
                "5.0: 26",
            ])
        #expect(other.countdown.zero == at(31))
    }

    @Test("that continues from a pause reports that it is running again")
    func outOfAPause() throws {
        for action in [{ $0.setRemaining(.zero, at: at(2)) }, { $0.fastForward(at: at(2)) }]
            as [(inout TimerPlayer) -> [TimerPlayer.Event]]
        {
            var player = try player([[(4, 0, 0), (3, 2, 0)]])
            _ = try player.start(at: at(0))
            _ = try player.pause(at: at(0.5))
            #expect(
                action(&player).lines == [
                    "2.0: 0", "2.0: 1/1 used 0.5 over 0.0", "2.0: 1/1 ⇒ 1/2",
                    "2.0: paused(countdown, 0.5) → countdown", "2.0: 3",
                ])
        }
    }

    @Test("does not include a one-off run, which ends in the alarm and leaves the timer unchanged")
    func oneOff() throws {
        var player = try player([[(4, 3, 2), (3, 2, 0)]])
        let model = player.model
        let lines = try player.start(.init(thresholds: times(2, 1), name: "Break"), at: at(0)).lines
        #expect(lines == ["0.0: stopped → countdown", "0.0: 2"])
        #expect(player.name == "Break")
        #expect(player.upNext == nil)
        #expect(
            player.play().lines == [
                "1.0: 1", "1.0: countdown → warning", "2.0: 0", "2.0: warning → alarm",
            ])
        #expect(player.stop(at: at(3)).lines == ["3.0: 1/1 used 3.0 over 1.0", "3.0: alarm → stopped"])
        #expect(player.lastRun?.name == "Break")
        #expect(player.name == "4")
        #expect(player.countdown.shownSeconds(at: at(3)) == 4)
        #expect(player.model == model)
        #expect(throws: PlayerError.countdown(.nothingToRun)) { try player.start(.init(thresholds: .zero), at: at(4)) }
    }

    @Test("keeps the last run that ended: by a stop, a new start or the next timer, but not by the alarm")
    func lastRun() throws {
        var player = try player([[(4, 0, 0), (3, 0, 0)]])
        _ = try player.start(at: at(0))
        #expect(try player.start(at: at(1)).lines == ["1.0: 3", "1.0: 1/1 used 1.0 over 0.0", "1.0: 4"])
        #expect(player.lastRun?.used == lasting(1))
        _ = try player.pause(at: at(2))
        _ = try player.resume(at: at(10))
        _ = player.play()
        #expect(player.mode == .alarm)
        #expect(player.lastRun?.path == (try path("1/1")))
        #expect(player.lastRun?.used == lasting(4))
        #expect(player.countdown.alarmedSince == at(16))
        _ = player.stop(at: at(20))
        #expect(player.lastRun?.path == (try path("1/2")))
        #expect(player.lastRun?.used == lasting(7))
        #expect(player.lastRun?.over == lasting(4))
        #expect(player.stop(at: at(21)).isEmpty)
        #expect(player.lastRun?.used == lasting(7))
    }

    @Test("needs no wake-up while no time passes")
    func nextInstant() throws {
        var player = try player([[(4, 0, 0)]])
        #expect(player.nextInstant == nil)
        _ = try player.start(at: at(0))
        #expect(player.nextInstant == at(1))
        _ = try player.pause(at: at(1.5))
        #expect(player.nextInstant == nil)
        _ = try player.resume(at: at(2))
        #expect(player.nextInstant == at(2.5))
        _ = player.play()
        #expect(player.nextInstant == nil)
    }
}
