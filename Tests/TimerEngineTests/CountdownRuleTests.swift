import Testing
import TimerEngine

/// A countdown of 60/30/15 in each mode, at 100 s on the clock.
enum Situation: CaseIterable {
    case stopped, countdown, warning, final, pausedCountdown, pausedWarning, pausedFinal, alarm

    func made() throws -> Countdown {
        var countdown = Countdown(try times(60, 30, 15))
        func run(_ elapsed: Double) throws {
            _ = try countdown.start(at: at(90 - elapsed))
            _ = countdown.play(until: at(90))
        }
        switch self {
        case .stopped: break
        case .countdown: try run(5.5 - 10)
        case .warning: try run(35.5 - 10)
        case .final: try run(50.5 - 10)
        case .pausedCountdown: try run(5.5)
        case .pausedWarning: try run(35.5)
        case .pausedFinal: try run(50.5)
        case .alarm: try run(60)
        }
        switch self {
        case .pausedCountdown, .pausedWarning, .pausedFinal: _ = try countdown.pause(at: at(90))
        case .stopped, .countdown, .warning, .final, .alarm: _ = countdown.play(until: at(100))
        }
        return countdown
    }
}

@Suite("Each call in each mode")
struct CountdownRuleTests {
    enum Call {
        case start, stop, end, pause, resume
        case sync(Int, ago: Double)
        case set(Double)
        case add(Int)

        func made(on countdown: inout Countdown) throws -> [Countdown.Event] {
            let now = at(100)
            return switch self {
            case .start: try countdown.start(at: now)
            case .stop: countdown.stop(at: now)
            case .end: countdown.end(at: now)
            case .pause: try countdown.pause(at: now)
            case .resume: try countdown.resume(at: now)
            case .sync(let seconds, let age): try countdown.sync(to: seconds, at: at(100 - age), now: now)
            case .set(let seconds): countdown.setRemaining(lasting(seconds), at: now)
            case .add(let seconds): try countdown.add(seconds, at: now)
            }
        }
    }

    /// What a call reports; nil where it is refused.
    struct Row: Sendable, CustomTestStringConvertible {
        let call: Call, situation: Situation, lines: [String]?

        init(_ call: Call, _ situation: Situation, _ lines: [String]?) {
            (self.call, self.situation) = (call, situation)
            self.lines = lines?.map { "100.0: " + $0 }
        }

        var testDescription: String { "\(call) when \(situation)" }
    }

    static let rows: [Row] = [
        Row(.start, .stopped, ["stopped → countdown", "60"]),
        Row(.start, .countdown, ["60"]),
        Row(.start, .warning, ["warning → countdown", "60"]),
        Row(.start, .final, ["final → countdown", "60"]),
        Row(.start, .pausedCountdown, ["paused(countdown, 5.5) → countdown", "60"]),
        Row(.start, .pausedFinal, ["paused(final, 50.5) → countdown", "60"]),
        Row(.start, .alarm, ["alarm → countdown", "60"]),

        Row(.stop, .stopped, []),
        Row(.stop, .countdown, ["countdown → stopped"]),
        Row(.stop, .warning, ["warning → stopped"]),
        Row(.stop, .final, ["final → stopped"]),
        Row(.stop, .pausedCountdown, ["countdown → stopped"]),
        Row(.stop, .pausedWarning, ["warning → stopped"]),
        Row(.stop, .pausedFinal, ["final → stopped"]),
        Row(.stop, .alarm, ["alarm → stopped"]),

        Row(.end, .stopped, ["stopped → alarm"]),
        Row(.end, .countdown, ["countdown → alarm"]),
        Row(.end, .warning, ["warning → alarm"]),
        Row(.end, .final, ["final → alarm"]),
        Row(.end, .pausedCountdown, ["countdown → alarm"]),
        Row(.end, .pausedWarning, ["warning → alarm"]),
        Row(.end, .pausedFinal, ["final → alarm"]),
        Row(.end, .alarm, []),

        Row(.pause, .stopped, nil),
        Row(.pause, .countdown, ["countdown → paused(countdown, 5.5)"]),
        Row(.pause, .warning, ["warning → paused(warning, 35.5)"]),
        Row(.pause, .final, ["final → paused(final, 50.5)"]),
        Row(.pause, .pausedCountdown, nil),
        Row(.pause, .pausedWarning, nil),
        Row(.pause, .pausedFinal, nil),
        Row(.pause, .alarm, nil),

        Row(.resume, .stopped, nil),
        Row(.resume, .countdown, nil),
        Row(.resume, .warning, nil),
        Row(.resume, .final, nil),
        Row(.resume, .pausedCountdown, ["paused(countdown, 5.5) → countdown"]),
        Row(.resume, .pausedWarning, ["paused(warning, 35.5) → warning"]),
        Row(.resume, .pausedFinal, ["paused(final, 50.5) → final"]),
        Row(.resume, .alarm, nil),

        Row(.sync(20, ago: 0), .stopped, nil),
        Row(.sync(20, ago: 0), .alarm, nil),
        Row(.sync(40, ago: 0), .countdown, []),
        Row(.sync(40, ago: 0.5), .countdown, []),
        Row(.sync(40, ago: 3.25), .countdown, ["37"]),
        Row(.sync(40, ago: -3.25), .countdown, []),
        Row(.sync(20, ago: 0), .countdown, ["countdown → warning"]),
        Row(.sync(31, ago: 1), .countdown, ["30", "countdown → warning"]),
        Row(.sync(99, ago: 0), .warning, ["warning → countdown"]),
        Row(.sync(10, ago: 20), .final, ["0", "final → alarm"]),
        Row(.sync(0, ago: 0), .final, ["final → alarm"]),
        Row(.sync(20, ago: 0), .pausedCountdown, ["paused(countdown, 5.5) → warning"]),
        Row(.sync(20, ago: 2.5), .pausedWarning, ["18", "paused(warning, 35.5) → warning"]),
        Row(.sync(3, ago: 4), .pausedFinal, ["0", "final → alarm"]),

        Row(.set(60), .stopped, ["stopped → paused(countdown, 0.0)"]),
        Row(.set(20.5), .stopped, ["21", "stopped → paused(warning, 39.5)"]),
        Row(.set(54.1), .countdown, []),
        Row(.set(54), .countdown, ["54"]),
        Row(.set(20), .countdown, ["20", "countdown → warning"]),
        Row(.set(1000), .warning, ["60", "warning → countdown"]),
        Row(.set(-1), .final, ["0", "final → alarm"]),
        Row(.set(0), .stopped, ["0", "stopped → alarm"]),
        Row(.set(54.1), .pausedCountdown, ["paused(countdown, 5.5) → paused(countdown, 5.9)"]),
        Row(.set(54.5), .pausedCountdown, []),
        Row(.set(12), .pausedWarning, ["12", "paused(warning, 35.5) → paused(final, 48.0)"]),
        Row(.set(0), .pausedWarning, ["0", "warning → alarm"]),
        Row(.set(20), .alarm, ["20", "alarm → paused(warning, 40.0)"]),
        Row(.set(0), .alarm, []),

        Row(.add(30), .stopped, nil),
        Row(.add(30), .countdown, ["85"]),
        Row(.add(30), .warning, ["55", "warning → countdown"]),
        Row(.add(-30), .countdown, ["25", "countdown → warning"]),
        Row(.add(-30), .warning, ["0", "warning → alarm"]),
        Row(.add(0), .final, []),
        Row(.add(10), .pausedFinal, ["20", "paused(final, 50.5) → paused(warning, 40.5)"]),
        Row(.add(30), .pausedCountdown, ["85", "paused(countdown, 5.5) → paused(countdown, -24.5)"]),
        Row(.add(-30), .pausedFinal, ["0", "final → alarm"]),
        Row(.add(20), .alarm, ["20", "alarm → warning"]),
        Row(.add(90), .alarm, ["90", "alarm → countdown"]),
        Row(.add(0), .alarm, []),
        Row(.add(-20), .alarm, []),
        Row(.add(86_344), .countdown, ["86399"]),
        Row(.add(86_345), .countdown, nil),
        Row(.add(.max), .countdown, nil),
        Row(.add(.max), .alarm, nil),
        Row(.add(.min), .alarm, []),
    ]

    @Test("reports what the table says, or is refused and changes nothing", arguments: rows)
    func table(_ row: Row) throws {
        var countdown = try row.situation.made()
        let before = countdown
        guard let lines = row.lines else {
            #expect(throws: TimerEngine.CountdownError.self) { try row.call.made(on: &countdown) }
            #expect(countdown == before)
            return
        }
        #expect(try row.call.made(on: &countdown).lines == lines)
    }

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

    @Test("a call that comes when zero has passed is judged by the alarm, and its refusal leaves the alarm to come")
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

    @Test("what was added lasts for the run and is no edit")
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

    @Test("time used leaves pauses out, and time over is the time in alarm, over several alarms")
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

    @Test("start of no time is refused")
    func nothingToRun() {
        var countdown = Countdown(.zero)
        #expect(throws: TimerEngine.CountdownError.nothingToRun) { try countdown.start(at: at(0)) }
        #expect(countdown.mode == .stopped)
        #expect(countdown.nextInstant == nil)
    }

    @Test(
        "an edit while it runs leaves what is left, but for what passes a lower starting time",
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

    @Test("an edit leaves the time that was added")
    func editAfterAdding() throws {
        var countdown = try Situation.countdown.made()
        _ = try countdown.add(30, at: at(100))
        _ = countdown.setThresholds(try times(60, 20, 5), at: at(100))
        #expect(countdown.remaining(at: at(100)) == lasting(84.5))
        _ = countdown.setThresholds(try times(50), at: at(100))
        #expect(countdown.remaining(at: at(100)) == lasting(74.5))
    }

    @Test("a mode is written as its case, a pause with the mode and the elapsed seconds")
    func descriptions() {
        #expect(Mode.paused(mode: .countdown, pauseTime: 2.1).description == "paused(countdown, 2.1)")
        let all: [Mode] = [.stopped, .countdown, .warning, .final, .alarm]
        #expect(all.map(\.description) == ["stopped", "countdown", "warning", "final", "alarm"])
    }
}
