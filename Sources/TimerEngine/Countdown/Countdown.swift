extension TimerEngine {
    /// The arithmetic of one timer: a state machine that takes the current time and returns the resulting events.
    ///
    /// Each call first advances the countdown to the given instant, so events that fell due earlier are reported before
    /// the effects of the call. A call that throws changes nothing; the next call then reports everything that has
    /// fallen due. No calls are needed between changes: ``nextInstant`` is the time of the next change.
    ///
    /// The instants passed to successive calls must not decrease.
    public struct Countdown: Hashable, Sendable {
        /// An event that a call reports; the returned arrays are in chronological order.
        public enum Event: Hashable, Sendable {
            /// A new second is shown; it was due at this instant.
            case tick(Int, at: Instant)
            /// The mode changed; the change was due at this instant.
            case transition(from: Mode, to: Mode, at: Instant)
        }

        enum State: Hashable, Sendable {
            /// Can be started, ended, or paused by setting the remaining time.
            case stopped
            /// Reaches zero at `zero`; `ticked` is the last second reported, above 0. Can be paused, ended or stopped.
            case running(zero: Instant, ticked: Int)
            /// Paused with `remaining` left, above 0. Can be resumed, ended or stopped.
            case paused(remaining: Duration)
            /// At zero since `since`. Can be stopped, started, paused by setting the remaining time, or continued by
            /// adding time.
            case alarm(since: Instant)
        }

        /// The starting, warning and final times of every run.
        public internal(set) var thresholds: Thresholds
        var state: State = .stopped
        /// The time from which the next start counts down, if it is not the starting time; 0 raises the alarm at once.
        var reserve: Duration?
        /// Measures the run, including the alarm but excluding pauses.
        var usedTime = Stopwatch()
        /// Measures the alarm time.
        var overTime = Stopwatch()

        /// Creates a stopped countdown.
        public init(_ thresholds: Thresholds) {
            self.thresholds = thresholds
        }

        /// The mode as of the last call.
        public var mode: Mode {
            switch state {
            case .stopped: .stopped
            case .running(_, let ticked): thresholds.mode(showing: ticked)
            case .paused(let remaining):
                .paused(
                    mode: thresholds.mode(showing: remaining.shownSeconds),
                    pauseTime: (.seconds(thresholds.start) - remaining).inSeconds)
            case .alarm: .alarm
            }
        }

        /// When a running countdown reaches zero; otherwise nil.
        public var zero: Instant? {
            if case .running(let zero, _) = state { zero } else { nil }
        }

        /// When the alarm began; nil outside the alarm.
        public var alarmedSince: Instant? {
            if case .alarm(let since) = state { since } else { nil }
        }

        /// When ``advance(to:)`` next has something to report; nil while not running.
        public var nextInstant: Instant? {
            if case .running(let zero, let ticked) = state { zero - .seconds(ticked - 1) } else { nil }
        }
    }
}

// MARK: - Readings

extension TimerEngine.Countdown {
    /// Returns the time left at `now`, never below zero; the starting time while stopped.
    public func remaining(at now: TimerEngine.Instant) -> Duration {
        switch state {
        case .stopped: reserve ?? .seconds(thresholds.start)
        case .running(let zero, _): max(.zero, now.duration(to: zero))
        case .paused(let remaining): remaining
        case .alarm: .zero
        }
    }

    /// Returns the seconds that a display shows at `now`: the time left, rounded up.
    public func shownSeconds(at now: TimerEngine.Instant) -> Int {
        remaining(at: now).shownSeconds
    }

    /// Returns the position at `now`: the starting time minus the time left. It is negative while more than the
    /// starting time is left.
    ///
    /// This is the position within the run, not its duration; for that, see ``used(at:)``.
    public func elapsed(at now: TimerEngine.Instant) -> Duration {
        .seconds(thresholds.start) - remaining(at: now)
    }

    /// Returns how long this run has lasted at `now`, excluding pauses but including the alarm; zero while stopped.
    public func used(at now: TimerEngine.Instant) -> Duration {
        usedTime.elapsed(at: now)
    }

    /// Returns how long the alarm of this run has lasted at `now`. If time was added during an alarm, this is the sum
    /// of all its alarms.
    public func over(at now: TimerEngine.Instant) -> Duration {
        overTime.elapsed(at: now)
    }
}

/// A stopwatch that can be started and halted repeatedly.
package struct Stopwatch: Hashable, Sendable {
    /// The time measured before the current start of the stopwatch.
    package var before: Duration = .zero
    /// When the stopwatch was last started; nil while halted.
    package var since: TimerEngine.Instant?

    package init() {}

    var isRunning: Bool { since != nil }

    func elapsed(at now: TimerEngine.Instant) -> Duration {
        max(.zero, before + (since?.duration(to: now) ?? .zero))
    }

    /// Starts it at `start`, or keeps its current start if that is earlier.
    mutating func run(from start: TimerEngine.Instant) {
        since = min(since ?? start, start)
    }

    mutating func halt(at now: TimerEngine.Instant) {
        before = elapsed(at: now)
        since = nil
    }

    /// Limits the time measured before the current start.
    mutating func limitEarlierTime(to limit: Duration) {
        before = min(before, limit)
    }

    mutating func shift(by duration: Duration) {
        since = since.map { $0 + duration }
    }
}

// Calls that change the position or the thresholds of a run.
extension TimerEngine.Countdown {
    /// Runs the countdown as if exactly `seconds` (clamped to 0…start) had been left at `instant`. A future instant
    /// counts as now.
    ///
    /// That second counts as ticked: a tick is reported at once only if a different second is shown now. If zero has
    /// passed since `instant`, the run ended at zero, even if that was before an event already reported.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running or paused.
    public mutating func sync(to seconds: Int, at instant: Instant, now: Instant) throws(CountdownError) -> [Event] {
        var (next, events) = advanced(to: now)
        guard next.mode.isRunning || next.mode.isPaused else { throw .notAllowed(.sync, in: next.mode) }
        let seconds = min(max(0, seconds), thresholds.start)
        let zero = min(instant, now) + .seconds(seconds)
        events += next.move(to: now.duration(to: zero), running: true, ticked: seconds, at: min(now, zero))
        self = next
        return events
    }

    /// Sets the time left, clamped to 0…start. A countdown that is stopped or at its alarm is then paused at that time.
    public mutating func setRemaining(_ remaining: Duration, at now: Instant) -> [Event] {
        let events = advance(to: now)
        let left = min(max(.zero, remaining), .seconds(thresholds.start))
        return events + move(to: left, running: mode.isRunning, ticked: shownSeconds(at: now), at: now)
    }

    /// Adds seconds to this run; a negative number removes them.
    ///
    /// The time left may exceed the starting time. If the alarm has begun, the run continues with the added time.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` while stopped,
    ///   ``TimerEngine/CountdownError/tooLong(seconds:)`` if more than 23:59:59 would be left.
    public mutating func add(_ seconds: Int, at now: Instant) throws(CountdownError) -> [Event] {
        var (next, events) = advanced(to: now)
        guard next.mode != .stopped else { throw .notAllowed(.add, in: .stopped) }
        let shown = next.shownSeconds(at: now)
        let (sum, overflow) = shown.addingReportingOverflow(seconds)
        guard !overflow, sum <= TimerEngine.Thresholds.longest else { throw .tooLong(seconds: overflow ? .max : sum) }
        let left = next.remaining(at: now) + .seconds(seconds)
        events += next.move(to: left, running: !next.mode.isPaused, ticked: shown, at: now)
        self = next
        return events
    }

    /// Sets the starting, warning and final times of this and every later run.
    ///
    /// The time left in this run stays the same unless it exceeds a lowered starting time, to which it is then reduced.
    /// Time added to the run is kept.
    public mutating func setThresholds(_ thresholds: TimerEngine.Thresholds, at now: Instant) -> [Event] {
        let events = advance(to: now)
        let from = mode
        let left = remaining(at: now)
        let added = max(.zero, left - .seconds(self.thresholds.start))
        self.thresholds = thresholds
        if from == .stopped || from == .alarm { return events }
        return events
            + move(
                to: min(left, .seconds(thresholds.start) + added), running: from.isRunning, from: from,
                ticked: left.shownSeconds, at: now)
    }

    /// Moves all instants `duration` later, for a clock whose zero is earlier by that duration.
    ///
    /// Use this for a countdown that was saved before a reboot. All instants stay within the ten thousand years of
    /// ``TimerEngine/Instant``.
    public mutating func shift(by duration: Duration) {
        switch state {
        case .running(let zero, let ticked): state = .running(zero: zero + duration, ticked: ticked)
        case .alarm(let since): state = .alarm(since: since + duration)
        case .stopped, .paused: break
        }
        usedTime.shift(by: duration)
        overTime.shift(by: duration)
    }

    /// Changes the time left; at zero or below, the run ends.
    private mutating func move(
        to left: Duration, running: Bool, from: TimerEngine.Mode? = nil, ticked: Int, at now: Instant
    ) -> [Event] {
        let from = from ?? mode
        if left > .zero {
            enter(running ? .running(zero: now + left, ticked: left.shownSeconds) : .paused(remaining: left), at: now)
        } else if alarmedSince == nil {
            enter(.alarm(since: now), at: now)
        }
        var events: [Event] = []
        if left.shownSeconds != ticked { events.append(.tick(left.shownSeconds, at: now)) }
        if from != mode {
            events.append(.transition(from: mode == .alarm ? from.unpaused : from, to: mode, at: now))
        }
        return events
    }
}
