import TimerEngine

/// A countdown of 60/30/15 in each mode, with the clock at 100 s.
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
