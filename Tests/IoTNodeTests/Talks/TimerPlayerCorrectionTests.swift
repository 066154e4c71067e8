import Testing
import TimerEngine

private func at(_ seconds: Int) -> Instant { Instant(sinceEpoch: .seconds(seconds)) }

/// A player of one timer whose run began at 0 s.
private func started(_ start: Int) throws -> TimerPlayer {
    var player = TimerPlayer(TimerModel(timer: TimerItem(thresholds: try Thresholds(start: start))))
    _ = try player.start(at: at(0))
    return player
}

/// A player whose run of 60 s began at 0 s, was paused at 10 s, and was resumed after a pause of some seconds.
private func resumed(after pause: Int) throws -> TimerPlayer {
    var player = try started(60)
    _ = try player.pause(at: at(10))
    _ = try player.resume(at: at(10 + pause))
    return player
}

@Suite("A run whose beginning is moved")
struct TimerPlayerCorrectionTests {
    @Test("has no more alarm time than run time")
    func alarmTime() throws {
        var player = try started(10)
        _ = try player.add(60, at: at(15))
        #expect(player.countdown.over(at: at(16)) == .seconds(5))
        _ = player.moveBeginning(to: at(14), from: at(0), isEndedByCall: false, pausedSince: nil, at: at(16))
        #expect(player.countdown.used(at: at(16)) == .seconds(2))
        #expect(player.countdown.over(at: at(16)) == .seconds(2))
    }

    @Test("keeps its last pause if it had not reached zero before it")
    func pauseKept() throws {
        var player = try resumed(after: 10)
        _ = player.moveBeginning(to: at(-5), from: at(0), isEndedByCall: false, pausedSince: nil, at: at(30))
        #expect(player.countdown.zero == at(65) && player.countdown.used(at: at(30)) == .seconds(25))
        #expect(player.countdown.wasResumed(at: at(20)) && player.countdown.modeSince(began: at(-5)) == at(20))
    }

    @Test("is counted without its last pause if it had reached zero before that pause ended")
    func pauseDropped() throws {
        var player = try resumed(after: 90)
        _ = player.moveBeginning(to: at(-55), from: at(0), isEndedByCall: false, pausedSince: nil, at: at(110))
        #expect(player.countdown.alarmedSince == at(95))
        #expect(player.countdown.used(at: at(110)) == .seconds(75))
        #expect(player.countdown.over(at: at(110)) == .seconds(15))
    }

    @Test("has already shown the second that is left")
    func shown() throws {
        var player = try started(60)
        let events = player.moveBeginning(to: at(-49), from: at(0), isEndedByCall: false, pausedSince: nil, at: at(10))
        #expect(player.countdown.remaining(at: at(10)) == .seconds(1) && events.isEmpty)
    }

    @Test("keeps the alarm that a call raised, with its length")
    func endedByCall() throws {
        var player = try started(60)
        _ = player.end(at: at(20))
        _ = player.moveBeginning(to: at(10), from: at(0), isEndedByCall: true, pausedSince: nil, at: at(25))
        #expect(player.countdown.alarmedSince == at(20) && player.countdown.over(at: at(25)) == .seconds(5))
    }
}

@Suite("A player that is turned back")
struct TurnedBackPlayerTests {
    @Test("to the instant at which its run was resumed is as it was then")
    func resumption() throws {
        let resumed = try resumed(after: 10)
        var player = resumed
        _ = player.advance(to: at(30))
        #expect(player != resumed)
        player.turnBack(to: at(20), began: at(0), modeSince: at(20))
        #expect(player == resumed)
    }

    @Test("to an instant before its pause is running")
    func beforePause() throws {
        var player = try started(60)
        _ = try player.pause(at: at(10))
        player.turnBack(to: at(4), began: at(0), modeSince: at(10))
        #expect(player.countdown.zero == at(60) && player.countdown.used(at: at(4)) == .seconds(4))
    }

    @Test("to the instant at which its alarm began is in that alarm")
    func alarm() throws {
        var player = try started(10)
        _ = player.advance(to: at(10))
        player.turnBack(to: at(10), began: at(0), modeSince: at(10))
        #expect(player.countdown.over(at: at(12)) == .seconds(2))
    }

    @Test("has no more alarm time than run time")
    func alarmTime() throws {
        var player = try started(10)
        _ = try player.add(60, at: at(15))
        player.turnBack(to: at(3), began: at(0), modeSince: at(15))
        #expect(player.countdown.used(at: at(3)) == .seconds(3))
        #expect(player.countdown.over(at: at(3)) == .seconds(3))
    }
}
