import Testing
import TimerEngine

@Suite("Each call in each mode")
struct CountdownRuleTests {
    enum Call {
        case start, stop, end, pause, resume
        case sync(Int, ago: Double)
        case set(Double)
        case add(Int)

        func perform(on countdown: inout Countdown) throws -> [Countdown.Event] {
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

    /// The events that a call reports; nil if it is refused.
    struct Row: Sendable, CustomTestStringConvertible {
        let call: Call, situation: Situation, lines: [String]?

        init(_ call: Call, _ situation: Situation, _ lines: [String]?, at time: String = "100.0") {
            (self.call, self.situation) = (call, situation)
            self.lines = lines?.map { "\(time): \($0)" }
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
        Row(.sync(10, ago: 20), .final, ["0", "final → alarm"], at: "90.0"),
        Row(.sync(0, ago: 0), .final, ["final → alarm"]),
        Row(.sync(20, ago: 0), .pausedCountdown, ["paused(countdown, 5.5) → warning"]),
        Row(.sync(20, ago: 2.5), .pausedWarning, ["18", "paused(warning, 35.5) → warning"]),
        Row(.sync(3, ago: 4), .pausedFinal, ["0", "final → alarm"], at: "99.0"),

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

    @Test("reports the events in the table, or is refused and changes nothing", arguments: rows)
    func table(_ row: Row) throws {
        var countdown = try row.situation.made()
        let before = countdown
        guard let lines = row.lines else {
            #expect(throws: TimerEngine.CountdownError.self) { try row.call.perform(on: &countdown) }
            #expect(countdown == before)
            return
        }
        #expect(try row.call.perform(on: &countdown).lines == lines)
    }
}
