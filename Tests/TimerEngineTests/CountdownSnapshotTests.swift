import Testing

@testable import TimerEngine

@Suite("A snapshot of a countdown")
struct CountdownSnapshotTests {
    /// A change that no countdown could have made, and what is said of it.
    struct Row: Sendable {
        let situation: Situation
        let fault: String
        let change: @Sendable (inout Countdown.Snapshot) -> Void

        init(_ situation: Situation, _ fault: String, _ change: @escaping @Sendable (inout Countdown.Snapshot) -> Void)
        {
            (self.situation, self.fault, self.change) = (situation, fault, change)
        }
    }

    private static let stopwatches = "its stopwatches do not go with its state"
    private static let more = "more time in alarm than in the run"

    static let rows: [Row] = [
        Row(.countdown, "running with 0 s ticked, outside 1…86399") { $0.ticked = 0 },
        Row(.countdown, "running with \(Int.min) s ticked, outside 1…86399") { $0.ticked = .min },
        Row(.countdown, "running with 86400 s ticked, outside 1…86399") { $0.ticked = 86_400 },
        Row(.pausedFinal, "paused with 0.0 seconds left, outside 0…86399 s") { $0.remaining = .zero },
        Row(.pausedFinal, "paused with -1.0 seconds left, outside 0…86399 s") { $0.remaining = lasting(-1) },
        Row(.pausedFinal, "paused with 86399.5 seconds left, outside 0…86399 s") { $0.remaining = lasting(86_399.5) },
        // A state without what it needs, and with what another one has.
        Row(.countdown, "running without its time") { $0.zero = nil },
        Row(.countdown, "running without its time") { $0.ticked = nil },
        Row(.pausedFinal, "paused without its time") { $0.remaining = nil },
        Row(.alarm, "alarm without its time") { $0.since = nil },
        Row(.pausedFinal, stopwatches) { $0.state = .stopped }, Row(.alarm, stopwatches) { $0.state = .stopped },
        // An alarm before its run, or by another stopwatch, or without one.
        Row(.alarm, stopwatches) { $0.used.since = at(91) }, Row(.alarm, stopwatches) { $0.over.since = at(91) },
        Row(.alarm, stopwatches) { $0.used.since = nil },
        // A run that begins after its next tick, one that does not go, one in alarm.
        Row(.countdown, stopwatches) { $0.used.since = at(100.5) },
        Row(.countdown, stopwatches) { $0.used.since = nil },
        Row(.countdown, stopwatches) { $0.over.since = at(95) },
        // A pause that goes on.
        Row(.pausedFinal, stopwatches) { $0.used.since = at(40) },
        Row(.pausedFinal, stopwatches) { $0.over.since = at(95) },
        // Times that no run has.
        Row(.pausedFinal, "a run that lasted -1.0 seconds") { $0.used.before = lasting(-1) },
        Row(.pausedFinal, "a run that lasted -1.0 seconds") { $0.over.before = lasting(-1) },
        Row(.pausedFinal, more) { $0.over.before = lasting(51) }, Row(.countdown, more) { $0.over.before = lasting(7) },
        Row(.alarm, more) { $0.over.before = lasting(61) },
    ]

    @Test("that makes no sense is refused", arguments: rows)
    func refused(_ row: Row) throws {
        var snapshot = try row.situation.made().snapshot
        row.change(&snapshot)
        #expect(throws: TimerEngine.CountdownError.notACountdown(row.fault)) { try Countdown(snapshot) }
    }
}
