import Testing

@testable import TimerEngine

@Suite("A snapshot of a countdown")
struct CountdownSnapshotTests {
    /// A change that makes a snapshot invalid, and the resulting error message.
    struct Row: Sendable {
        let situation: Situation
        let fault: String
        let change: @Sendable (inout Countdown.Snapshot) -> Void

        init(_ situation: Situation, _ fault: String, _ change: @escaping @Sendable (inout Countdown.Snapshot) -> Void)
        {
            (self.situation, self.fault, self.change) = (situation, fault, change)
        }
    }

    private static let stopwatches = "its stopwatches do not match its state"
    private static let more = "more alarm time than run time"

    static let rows: [Row] = [
        Row(.countdown, "running, but the last second shown, 0, is outside 1…86399") { $0.ticked = 0 },
        Row(.countdown, "running, but the last second shown, \(Int.min), is outside 1…86399") { $0.ticked = .min },
        Row(.countdown, "running, but the last second shown, 86400, is outside 1…86399") { $0.ticked = 86_400 },
        Row(.pausedFinal, "paused with 0.0 seconds left, outside 0…86399 s") { $0.remaining = .zero },
        Row(.pausedFinal, "paused with -1.0 seconds left, outside 0…86399 s") { $0.remaining = lasting(-1) },
        Row(.pausedFinal, "paused with 86399.5 seconds left, outside 0…86399 s") { $0.remaining = lasting(86_399.5) },
        // States without their values, and with the stopwatches of another state.
        Row(.countdown, "running without its time") { $0.zero = nil },
        Row(.countdown, "running without its time") { $0.ticked = nil },
        Row(.pausedFinal, "paused without its time") { $0.remaining = nil },
        Row(.alarm, "alarm without its time") { $0.since = nil },
        Row(.pausedFinal, stopwatches) { $0.state = .stopped }, Row(.alarm, stopwatches) { $0.state = .stopped },
        // An alarm that begins before its run, with a different stopwatch, or without one.
        Row(.alarm, stopwatches) { $0.used.since = at(91) }, Row(.alarm, stopwatches) { $0.over.since = at(91) },
        Row(.alarm, stopwatches) { $0.used.since = nil },
        // A run that begins after its next tick, one whose stopwatch is halted, and one during its alarm.
        Row(.countdown, stopwatches) { $0.used.since = at(100.5) },
        Row(.countdown, stopwatches) { $0.used.since = nil },
        Row(.countdown, stopwatches) { $0.over.since = at(95) },
        // A pause whose stopwatches still run.
        Row(.pausedFinal, stopwatches) { $0.used.since = at(40) },
        Row(.pausedFinal, stopwatches) { $0.over.since = at(95) },
        // Invalid run times.
        Row(.pausedFinal, "a run that lasted -1.0 seconds") { $0.used.before = lasting(-1) },
        Row(.pausedFinal, "a run that lasted -1.0 seconds") { $0.over.before = lasting(-1) },
        Row(.pausedFinal, more) { $0.over.before = lasting(51) }, Row(.countdown, more) { $0.over.before = lasting(7) },
        Row(.alarm, more) { $0.over.before = lasting(61) },
    ]

    @Test("is refused if it is invalid", arguments: rows)
    func refused(_ row: Row) throws {
        var snapshot = try row.situation.made().snapshot
        row.change(&snapshot)
        #expect(throws: TimerEngine.CountdownError.notACountdown(row.fault)) { try Countdown(snapshot) }
    }
}
