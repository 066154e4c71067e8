#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// The number of hours in a day; the hour of a time is below this.
    public static let maxHours = 24
    /// The number of minutes in an hour; the minute of a time is below this.
    public static let maxMinutes = 60
    /// The number of seconds in a minute; the second of a time is below this.
    public static let maxSeconds = 60
    /// The number of seconds in a minute.
    public static let secondsInMinute = 60
    /// The number of seconds in an hour.
    public static let secondsInHour = 3600

    /// The engine's identity; loading or resuming a state sets that state's id.
    public var id: UUID { driver.state.withLock(\.extras.id) }

    /// Arbitrary client data, which the engine does not use.
    public var refCon: (any Sendable)? {
        get { driver.state.withLock(\.extras.refCon) }
        set { driver.replace(\.refCon, with: newValue) }
    }

    /// Called whenever a new second is shown; ``currentTime`` returns it.
    public var tickHandler: TickHandler? {
        get { driver.state.withLock(\.extras.tickHandler) }
        set { driver.replace(\.tickHandler, with: newValue) }
    }

    /// Called at each change of ``mode``, with the old and the new mode.
    public var transitionHandler: TransitionHandler? {
        get { driver.state.withLock(\.extras.transitionHandler) }
        set { driver.replace(\.transitionHandler, with: newValue) }
    }

    /// The starting time in seconds, clamped to 0…86 399; setting it lowers the warning and final times if necessary.
    ///
    /// The time left in the current run stays the same unless it exceeds a lowered starting time, to which it is then
    /// reduced.
    public var startingTimeInSeconds: Int {
        get { thresholds.start }
        set { changeThresholds { $0.setting(start: newValue) } }
    }

    /// The warning time in seconds, clamped to below the starting time; 0 means none. Setting it lowers the final time
    /// if necessary.
    public var warningTimeInSeconds: Int {
        get { thresholds.warning }
        set { changeThresholds { $0.setting(warning: newValue) } }
    }

    /// The final time in seconds, clamped to below the warning time, or below the starting time if there is no warning;
    /// 0 and 1 mean none.
    public var finalTimeInSeconds: Int {
        get { thresholds.final }
        set { changeThresholds { $0.setting(final: newValue) } }
    }

    /// The three times together; see ``setThresholds(_:)``.
    public var thresholds: Thresholds { driver.state.withLock(\.value.thresholds) }

    /// The seconds shown in countdown mode.
    public var startRange: ClosedRange<Int> { thresholds.startRange }
    /// The seconds shown in warning mode; `0...0` if there is none.
    public var warnRange: ClosedRange<Int> { thresholds.warnRange }
    /// The seconds shown in final mode; `0...0` if there is none.
    public var finalRange: ClosedRange<Int> { thresholds.finalRange }
    /// All seconds that can be shown: 0…start.
    public var fullRange: ClosedRange<Int> { thresholds.fullRange }

    /// The engine's mode.
    public var mode: Mode { driver.reading.value.mode }

    /// Whether the engine is running.
    public var isTicking: Bool { mode.isRunning }

    /// The seconds shown: the time left, rounded up.
    ///
    /// The value set is clamped to 0…start. A running engine keeps running; an engine in any other mode is then paused
    /// at that time. Setting 0 ends the run.
    public var currentTime: Int {
        get {
            let (countdown, now) = driver.reading
            return countdown.shownSeconds(at: now)
        }
        set {
            let remaining = Duration.seconds(min(max(0, newValue), Thresholds.longest))
            try? callCountdown { countdown, now in countdown.setRemaining(remaining, at: now) }
        }
    }

    /// The time left in seconds, with the fraction. Setting it works like ``currentTime``, to the nanosecond.
    ///
    /// Setting NaN changes nothing except ``lastRefusal``.
    public var currentPreciseTime: Double {
        get {
            let (countdown, now) = driver.reading
            return countdown.remaining(at: now).inSeconds
        }
        set {
            guard !newValue.isNaN else { return driver.replace(\.refusal, with: .notANumber) }
            try? callCountdown { countdown, now in countdown.setRemaining(Duration(inSeconds: newValue), at: now) }
        }
    }

    /// The time left as text: `h:mm:ss` from an hour up, `m:ss` from a minute up, otherwise `s`; empty at 0.
    public var timerDisplay: String { Self.timerDisplay(of: currentTime) }

    /// Returns a number of seconds as text, in the format of ``timerDisplay-swift.property``.
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

    private func changeThresholds(_ change: (Thresholds) -> Thresholds) {
        try? callCountdown { countdown, now in countdown.setThresholds(change(countdown.thresholds), at: now) }
    }
}

// MARK: - The run

extension TimerEngine {
    /// When the engine reaches zero, on its ``clock``; nil unless running.
    public var zero: Instant? { driver.reading.value.zero }

    /// When the alarm began, on the engine's ``clock``; nil outside the alarm.
    public var alarmedSince: Instant? { driver.reading.value.alarmedSince }

    /// How long this run has lasted, excluding pauses but including the alarm; zero while stopped.
    public var used: Duration {
        let (countdown, now) = driver.reading
        return countdown.used(at: now)
    }

    /// How long the alarm of this run has lasted. If time was added during an alarm, this is the sum of all its alarms.
    public var over: Duration {
        let (countdown, now) = driver.reading
        return countdown.over(at: now)
    }
}
