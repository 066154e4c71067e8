import Testing

@testable import TimerEngine

@Suite("A saved player")
struct TimerPlayerSnapshotTests {
    private func copy(_ player: TimerPlayer) throws -> TimerPlayer {
        try TimerPlayer(
            player.model, player.countdown.snapshot, oneOff: player.oneOff, lastRun: player.lastRun)
    }

    @Test("continues identically, even into the next timer")
    func future() throws {
        var original = try player([[(4, 3, 2), (3, 2, 0)]])
        _ = try original.start(at: at(0))
        _ = original.play(until: at(1.5))
        var restored = try copy(original)
        #expect(restored == original)
        #expect(restored.play() == original.play())
        _ = restored.stop(at: at(100))
        #expect(try copy(restored) == restored)
    }

    @Test("that is restored late catches up into the next timer without losing time")
    func late() throws {
        var original = try player([[(4, 3, 2), (30, 2, 0)]])
        _ = try original.start(at: at(0))
        var restored = try copy(original)
        #expect(restored.advance(to: at(14.5)).lines.suffix(2) == ["4.0: final → countdown", "14.0: 20"])
        #expect(restored.countdown.zero == at(34))
    }

    @Test("keeps a one-off run")
    func oneOff() throws {
        var original = try player([[(4, 3, 2)]])
        _ = try original.start(.init(thresholds: times(60, 30), name: "Break"), at: at(0))
        #expect(try copy(original) == original)
    }

    @Test("is refused if its countdown belongs to another timer")
    func nonsense() throws {
        let player = try player([[(44, 3, 2)]])
        let other = Countdown(try times(45, 3, 2)).snapshot
        #expect(throws: PlayerError.notAPlayer("its countdown is not the selected timer's")) {
            try TimerPlayer(player.model, other, oneOff: nil, lastRun: nil)
        }
        var absurd = player.countdown.snapshot
        absurd.used.before = lasting(-1)
        #expect(throws: PlayerError.countdown(.notACountdown("a run that lasted -1.0 seconds"))) {
            try TimerPlayer(player.model, absurd, oneOff: nil, lastRun: nil)
        }
    }

    @Test("is refused if its last run is invalid", arguments: [(1.0, 5.0), (1.0, -1.0)])
    func lastRun(used: Double, over: Double) throws {
        let player = try player([[(44, 3, 2)]])
        let run = TimerPlayer.Run(path: try path("1/1"), name: "", used: lasting(used), over: lasting(over))
        #expect(throws: PlayerError.notAPlayer("a run of 1.0 seconds, \(lasting(over)) of it alarm time")) {
            try TimerPlayer(player.model, player.countdown.snapshot, oneOff: nil, lastRun: run)
        }
    }

    @Test("is refused if its one-off run is stopped or has a length of 0 s")
    func emptyOneOff() throws {
        var player = try player([[(4, 0, 0)]])
        let stopped = Countdown(try times(60)).snapshot
        #expect(throws: PlayerError.notAPlayer("a one-off run that is stopped")) {
            try TimerPlayer(player.model, stopped, oneOff: .init(thresholds: times(60)), lastRun: nil)
        }
        _ = try player.start(.init(thresholds: times(60)), at: at(0))
        var empty = player.countdown.snapshot
        empty.thresholds = .zero
        #expect(throws: PlayerError.notAPlayer("a one-off run of 0 s")) {
            try TimerPlayer(player.model, empty, oneOff: .init(thresholds: .zero), lastRun: nil)
        }
    }

    @Test("from an earlier boot is moved to the new clock")
    func shifted() throws {
        var original = try player([[(10, 0, 0)]])
        _ = try original.start(at: at(1000))
        _ = original.play(until: at(1003.5))
        original.shift(by: lasting(-1000))
        #expect(try original.pause(at: at(3.5)).lines == ["3.5: countdown → paused(countdown, 3.5)"])
    }
}
