#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// The hours of a day: the hours of a time are below it.
    public static let maxHours = 24
    /// The minutes of an hour: the minutes of a time are below it.
    public static let maxMinutes = 60
    /// The seconds of a minute: the seconds of a time are below it.
    public static let maxSeconds = 60
    /// The seconds of a minute.
    public static let secondsInMinute = 60
    /// The seconds of an hour.
    public static let secondsInHour = 3600

    /// What tells the engine from others; a state that is loaded or resumed brings its own.
    public var id: UUID { driver.state.withLock(\.extras.id) }

    /// Whatever the client wants to find again at the engine, which does nothing with it.
    public var refCon: (any Sendable)? {
        get { driver.state.withLock(\.extras.refCon) }
        set { driver.replace(\.refCon, with: newValue) }
    }

    /// Is called at each second shown; ``currentTime`` says which.
    public var tickHandler: TickHandler? {
        get { driver.state.withLock(\.extras.tickHandler) }
        set { driver.replace(\.tickHandler, with: newValue) }
    }

    /// Is called at each change of ``mode``, with the mode before and the mode after.
    public var transitionHandler: TransitionHandler? {
        get { driver.state.withLock(\.extras.transitionHandler) }
        set { driver.replace(\.transitionHandler, with: newValue) }
    }

    /// Where a run starts, in seconds: 0…86 399, to which it is clamped; warning and final give way.
    ///
    /// What is left of the present run stays, but for what passes a lower starting time.
    public var startingTimeInSeconds: Int {
        get { thresholds.start }
        set { edit { $0.setting(start: newValue) } }
    }

    /// Where the warning begins, in seconds; it is clamped to below the starting time, final gives way, 0 means none.
    public var warningTimeInSeconds: Int {
        get { thresholds.warning }
        set { edit { $0.setting(warning: newValue) } }
    }

    /// Where the final mode begins, in seconds; it is clamped to below the warning time, or below the starting time
    /// where there is none; 0 means none, and so does 1.
    public var finalTimeInSeconds: Int {
        get { thresholds.final }
        set { edit { $0.setting(final: newValue) } }
    }

    /// The three times together; see ``setThresholds(_:)``.
    public var thresholds: Thresholds { driver.state.withLock(\.value.thresholds) }

    /// The seconds shown in countdown.
    public var startRange: ClosedRange<Int> { thresholds.startRange }
    /// The seconds shown in warning; `0...0` where there is none.
    public var warnRange: ClosedRange<Int> { thresholds.warnRange }
    /// The seconds shown in final; `0...0` where there is none.
    public var finalRange: ClosedRange<Int> { thresholds.finalRange }
    /// All the seconds that are shown: 0…start.
    public var fullRange: ClosedRange<Int> { thresholds.fullRange }

    /// What the engine is doing.
    public var mode: Mode { driver.reading.value.mode }

    /// Whether the engine is running.
    public var isTicking: Bool { mode.isRunning }

    /// The seconds shown: what is left, rounded up.
    ///
    /// Setting it, clamped to 0…start, keeps a running engine running; any other one holds there, paused. At 0 it ends.
    public var currentTime: Int {
        get {
            let (countdown, now) = driver.reading
            return countdown.shownSeconds(at: now)
        }
        set {
            let remaining = Duration.seconds(min(max(0, newValue), Thresholds.longest))
            try? ask { countdown, now in countdown.setRemaining(remaining, at: now) }
        }
    }

    /// What is left, in seconds with their fraction; set, to the nanosecond, as ``currentTime`` is.
    ///
    /// What is not a number changes nothing but ``lastRefusal``.
    public var currentPreciseTime: Double {
        get {
            let (countdown, now) = driver.reading
            return countdown.remaining(at: now).inSeconds
        }
        set {
            guard !newValue.isNaN else { return driver.replace(\.refusal, with: .notANumber) }
            try? ask { countdown, now in countdown.setRemaining(Duration(inSeconds: newValue), at: now) }
        }
    }

    /// What is left, as `h:mm:ss` from an hour up, `m:ss` from a minute up, else `s`, and empty at 0.
    public var timerDisplay: String { Self.timerDisplay(of: currentTime) }

    /// Seconds, as ``timerDisplay-swift.property`` shows them.
    public static func timerDisplay(of seconds: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / secondsInHour, seconds % secondsInHour / secondsInMinute)
        return switch seconds {
        case secondsInHour...: "\(hours):\(padded(minutes)):\(padded(seconds % secondsInMinute))"
        case secondsInMinute...: "\(minutes):\(padded(seconds % secondsInMinute))"
        case 1...: "\(seconds)"
        default: ""
        }
    }

    private func edit(_ change: (Thresholds) -> Thresholds) {
        try? ask { countdown, now in countdown.setThresholds(change(countdown.thresholds), at: now) }
    }
}

// MARK: - Of the run

extension TimerEngine {
    /// When a running engine reaches zero, on its ``clock``; else nil.
    public var zero: Instant? { driver.reading.value.zero }

    /// Since when the alarm has been on, on the engine's ``clock``; else nil.
    public var alarmedSince: Instant? { driver.reading.value.alarmedSince }

    /// How long this run has lasted: pauses out, the time in alarm in; zero while stopped.
    public var used: Duration {
        let (countdown, now) = driver.reading
        return countdown.used(at: now)
    }

    /// How long this run has been in alarm, all its alarms together where time was added in one.
    public var over: Duration {
        let (countdown, now) = driver.reading
        return countdown.over(at: now)
    }
}
