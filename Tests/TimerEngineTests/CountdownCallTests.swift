import Testing
import TimerEngine

@Suite("Calls, beyond the table")
struct CountdownCallTests {
    @Test("a refusal names the call and the mode")
    func messages() throws {
        var stopped = try Situation.stopped.made()
        var paused = try Situation.pausedCountdown.made()
        func message(_ body: () throws -> Void) -> String? {
            #expect(throws: TimerEngine.CountdownError.self, performing: body)?.description
        }
        #expect(message { _ = try stopped.pause(at: at(100)) } == "pause needs a running timer; this one is stopped")
        #expect(message { _ = try stopped.resume(at: at(100)) } == "resume needs a paused timer; this one is stopped")
        #expect(message { _ = try paused.pause(at: at(100)) } == "pause needs a running timer; this one is paused")
        #expect(
            message { _ = try paused.add(90_000, at: at(100)) } == "90055 s would be left, more than 86399")
    }

    @Test("a call after zero has passed is checked against the alarm mode; if refused, the alarm is still pending")
    func overdue() throws {
        var countdown = try Situation.final.made()
        let before = countdown
        #expect(throws: TimerEngine.CountdownError.notAllowed(.pause, in: .alarm)) {
            try countdown.pause(at: at(200))
        }
        #expect(throws: TimerEngine.CountdownError.notAllowed(.resume, in: .alarm)) {
            try countdown.resume(at: at(200))
        }
        #expect(throws: TimerEngine.CountdownError.notAllowed(.sync, in: .alarm)) {
            try countdown.sync(to: 5, at: at(200), now: at(200))
        }
        #expect(countdown == before)
        #expect(countdown.end(at: at(200)).lines == ["109.5: 0", "109.5: final → alarm"])
        #expect(countdown.alarmedSince == at(109.5))
    }

    @Test("during the alarm, a call that leaves no time changes nothing")
    func alarmStays() throws {
        let alarmed = try Situation.alarm.made()
        #expect(alarmed.alarmedSince == at(90))
        var countdown = alarmed
        #expect(countdown.setRemaining(.zero, at: at(100)).isEmpty)
        #expect(try countdown.add(-20, at: at(101)).isEmpty)
        #expect(countdown.end(at: at(102)).isEmpty)
        #expect(countdown == alarmed)
    }

    @Test("added time lasts for one run and does not change the starting time")
    func added() throws {
        var countdown = try Situation.countdown.made()
        _ = try countdown.add(30, at: at(100))
        #expect(countdown.remaining(at: at(100)) == lasting(84.5))
        #expect(countdown.elapsed(at: at(100)) == lasting(-24.5))
        #expect(countdown.zero == at(184.5))
        #expect(try countdown.start(at: at(110)).last == .tick(60, at: at(110)))
        _ = try countdown.add(30, at: at(111))
        _ = countdown.stop(at: at(112))
        #expect(countdown.remaining(at: at(112)) == lasting(60))
    }

    @Test("used time excludes pauses; over time is the total alarm time, summed over several alarms")
    func used() throws {
        var countdown = Countdown(try times(10))
        #expect(countdown.used(at: at(0)) == .zero)
        _ = try countdown.start(at: at(0))
        _ = try countdown.pause(at: at(4))
        #expect(countdown.used(at: at(50)) == lasting(4))
        _ = try countdown.resume(at: at(50))
        #expect(countdown.advance(to: at(60)).last?.line == "56.0: countdown → alarm")
        _ = try countdown.add(5, at: at(60))
        #expect(countdown.advance(to: at(67)).last?.line == "65.0: countdown → alarm")
        #expect(countdown.used(at: at(67)) == lasting(21))
        #expect(countdown.over(at: at(67)) == lasting(6))
        _ = countdown.stop(at: at(68))
        #expect(countdown.used(at: at(70)) == .zero)
    }

    @Test("a new start, even from the alarm, resets used time and over time")
    func usedAfterRestart() throws {
        var countdown = Countdown(try times(10))
        _ = try countdown.start(at: at(0))
        _ = countdown.advance(to: at(15))
        _ = try countdown.start(at: at(20))
        #expect(countdown.used(at: at(20)) == .zero && countdown.over(at: at(20)) == .zero)
        #expect(countdown.used(at: at(23)) == lasting(3) && countdown.over(at: at(23)) == .zero)
        _ = try countdown.start(at: at(25))
        #expect(countdown.used(at: at(26)) == lasting(1))
        _ = countdown.advance(to: at(37))
        #expect(countdown.used(at: at(37)) == lasting(12) && countdown.over(at: at(37)) == lasting(2))
    }

    @Test("a sync that puts zero in the past ends the run at that instant, with matching used and over times")
    func syncPastZero() throws {
        var countdown = try Situation.countdown.made()
        #expect(
            try countdown.sync(to: 3, at: at(96), now: at(100)).lines == ["99.0: 0", "99.0: countdown → alarm"])
        #expect(countdown.alarmedSince == at(99))
        #expect(countdown.used(at: at(100)) == lasting(5.5) && countdown.over(at: at(100)) == lasting(1))

        // Zero lies before the recorded start of the run, so the whole run counts as alarm time.
        countdown = try Situation.countdown.made()
        _ = try countdown.sync(to: 3, at: at(50), now: at(100))
        #expect(countdown.alarmedSince == at(53))
        #expect(countdown.used(at: at(100)) == lasting(47) && countdown.over(at: at(100)) == lasting(47))

        // The new alarm includes an earlier one of the same run, which is not counted twice.
        countdown = try Situation.alarm.made()
        _ = try countdown.add(30, at: at(100))
        _ = try countdown.sync(to: 3, at: at(30), now: at(101))
        #expect(countdown.used(at: at(101)) == lasting(71) && countdown.over(at: at(101)) == lasting(71))
    }

    @Test("starting a timer of 0 s is refused")
    func nothingToRun() {
        var countdown = Countdown(.zero)
        #expect(throws: TimerEngine.CountdownError.nothingToRun) { try countdown.start(at: at(0)) }
        #expect(countdown.mode == .stopped)
        #expect(countdown.nextInstant == nil)
    }

    @Test(
        "an edit during a run keeps the time left, up to a lowered starting time",
        arguments: [
            (Situation.countdown, 100, 50, 54.5, []),
            (.countdown, 100, 60, 54.5, ["100.0: countdown → warning"]),
            (.countdown, 40, 10, 40, ["100.0: 40"]),
            (.warning, 60, 10, 24.5, ["100.0: warning → countdown"]),
            (.warning, 20, 0, 20, ["100.0: 20", "100.0: warning → countdown"]),
            (.final, 0, 0, 0, ["100.0: 0", "100.0: final → alarm"]),
            (.pausedWarning, 70, 30, 24.5, ["100.0: paused(warning, 35.5) → paused(warning, 45.5)"]),
            (.stopped, 70, 30, 70, []),
            (.alarm, 70, 30, 0, []),
        ] as [(Situation, Int, Int, Double, [String])])
    func edit(_ situation: Situation, start: Int, warning: Int, left: Double, lines: [String]) throws {
        var countdown = try situation.made()
        #expect(countdown.setThresholds(try times(start, warning), at: at(100)).lines == lines)
        #expect(countdown.remaining(at: at(100)) == lasting(left))
    }

    @Test("an edit keeps added time")
    func editAfterAdding() throws {
        var countdown = try Situation.countdown.made()
        _ = try countdown.add(30, at: at(100))
        _ = countdown.setThresholds(try times(60, 20, 5), at: at(100))
        #expect(countdown.remaining(at: at(100)) == lasting(84.5))
        _ = countdown.setThresholds(try times(50), at: at(100))
        #expect(countdown.remaining(at: at(100)) == lasting(74.5))
    }

    @Test("a mode is written as the name of its case, a pause with its mode and elapsed seconds")
    func descriptions() {
        #expect(Mode.paused(mode: .countdown, pauseTime: 2.1).description == "paused(countdown, 2.1)")
        let all: [Mode] = [.stopped, .countdown, .warning, .final, .alarm]
        #expect(all.map(\.description) == ["stopped", "countdown", "warning", "final", "alarm"])
    }

    @Test("a sync to a negative time ends the run at the given instant, not earlier")
    func syncNegative() throws {
        for seconds in [0, -5, .min] {
            var countdown = Countdown(try times(10))
            _ = try countdown.start(at: at(0))
            let events = try countdown.sync(to: seconds, at: at(3), now: at(4))
            #expect(events.lines == ["4.0: 6", "3.0: countdown → alarm"])
            #expect(countdown.alarmedSince == at(3) && countdown.used(at: at(4)) == .seconds(4))
        }
    }

    @Test("a shift moves the beginning of the alarm")
    func shiftAlarm() throws {
        var countdown = Countdown(try times(10))
        _ = try countdown.start(at: at(0))
        _ = countdown.advance(to: at(12))
        countdown.shift(by: lasting(100))
        #expect(countdown.alarmedSince == at(110))
        #expect(countdown.over(at: at(113)) == .seconds(3))
    }
}
