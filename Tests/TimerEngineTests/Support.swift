import TimerEngine

typealias Countdown = TimerEngine.Countdown
typealias Instant = TimerEngine.Instant
typealias Mode = TimerEngine.Mode
typealias Thresholds = TimerEngine.Thresholds

/// Returns the instant `seconds` after the clock's zero, rounded to the millisecond.
func at(_ seconds: Double) -> Instant { Instant(sinceEpoch: lasting(seconds)) }

/// Returns a duration of `seconds`, rounded to the millisecond.
func lasting(_ seconds: Double) -> Duration { .milliseconds(Int((seconds * 1000).rounded())) }

/// Returns thresholds from a row of a table.
func times(_ start: Int, _ warning: Int = 0, _ final: Int = 0) throws -> Thresholds {
    try Thresholds(start: start, warning: warning, final: final)
}

extension Countdown.Event {
    /// `2: 4` for a tick, `2: countdown → warning` for a transition, each prefixed with the second at which it was due.
    var line: String {
        switch self {
        case .tick(let second, let instant): "\(instant.sinceEpoch.inSeconds): \(second)"
        case .transition(let from, let to, let instant): "\(instant.sinceEpoch.inSeconds): \(from) → \(to)"
        }
    }
}

extension TimerPlayer.Event {
    /// The same as for a countdown; `6: 1/1 ⇒ 1/2` for a sequence, `6: 1/1 used 6.0 over 0.0` for a run that ended.
    var line: String {
        let time = instant.sinceEpoch.inSeconds
        return switch self {
        case .tick(let second, _): "\(time): \(second)"
        case .modeChanged(let from, let to, _): "\(time): \(from) → \(to)"
        case .movedOn(let from, let to, _): "\(time): \(from) ⇒ \(to)"
        case .runEnded(let run, _): "\(time): \(run.path) used \(run.used.inSeconds) over \(run.over.inSeconds)"
        }
    }
}

extension [Countdown.Event] {
    var lines: [String] { map(\.line) }
}

extension [TimerPlayer.Event] {
    var lines: [String] { map(\.line) }
}

extension Countdown {
    /// Advances to each ``nextInstant`` up to `end`, and then to `end`.
    mutating func play(until end: Instant = at(1_000_000)) -> [Event] {
        var events: [Event] = []
        while let next = nextInstant, next <= end { events += advance(to: next) }
        return events + advance(to: end)
    }
}

extension TimerPlayer {
    /// Advances to each ``nextInstant`` up to `end`, and then to `end`.
    mutating func play(until end: Instant = at(1_000_000)) -> [Event] {
        var events: [Event] = []
        while let next = nextInstant, next <= end { events += advance(to: next) }
        return events + advance(to: end)
    }
}
