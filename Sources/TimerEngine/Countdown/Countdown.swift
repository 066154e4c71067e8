extension TimerEngine {
    /// The arithmetic of one timer: a state machine that is told what time it is and answers what happened.
    ///
    /// Each call first brings the countdown up to its instant, so that what fell due before comes before what the call
    /// does. A call that throws changes nothing, and what fell due is then left for the next one. Between two changes
    /// there is nothing to do: ``nextInstant`` says when there will be.
    ///
    /// The instants of successive calls do not go back.
    public struct Countdown: Hashable, Sendable {
        /// What is reported, in the order of the returned arrays.
        public enum Event: Hashable, Sendable {
            /// A second is shown, due at this instant.
            case tick(Int, at: Instant)
            /// The mode changed, due at this instant.
            case transition(from: Mode, to: Mode, at: Instant)
        }

        enum State: Hashable, Sendable {
            /// Can start, end, hold.
            case stopped
            /// Reaches zero at `zero`; `ticked`, more than 0, is the last second reported. Can pause, end, stop.
            case running(zero: Instant, ticked: Int)
            /// Holds `remaining`, more than nothing. Can resume, end, stop.
            case paused(remaining: Duration)
            /// At zero since `since`. Can stop, start, hold or run on with given time.
            case alarm(since: Instant)
        }

        /// The times of each run.
        public internal(set) var thresholds: Thresholds
        var state: State = .stopped
        /// Goes while the run goes, the alarm included.
        var usedTime = Stopwatch()
        /// Goes during the alarm.
        var overTime = Stopwatch()

        /// A stopped countdown.
        public init(_ thresholds: Thresholds) {
            self.thresholds = thresholds
        }

        /// What it is doing, as of the last call.
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

        /// When a running countdown reaches zero, else nil.
        public var zero: Instant? {
            if case .running(let zero, _) = state { zero } else { nil }
        }

        /// Since when the alarm has been on, else nil.
        public var alarmedSince: Instant? {
            if case .alarm(let since) = state { since } else { nil }
        }

        /// When ``advance(to:)`` next has something to report; nil while nothing passes.
        public var nextInstant: Instant? {
            if case .running(let zero, let ticked) = state { zero - .seconds(ticked - 1) } else { nil }
        }
    }
}

// MARK: - Readings

extension TimerEngine.Countdown {
    /// The time left at `now`, never below zero; the starting time while stopped.
    public func remaining(at now: TimerEngine.Instant) -> Duration {
        switch state {
        case .stopped: .seconds(thresholds.start)
        case .running(let zero, _): max(.zero, now.duration(to: zero))
        case .paused(let remaining): remaining
        case .alarm: .zero
        }
    }

    /// The seconds that a display shows at `now`: the time left, rounded up.
    public func shownSeconds(at now: TimerEngine.Instant) -> Int {
        remaining(at: now).shownSeconds
    }

    /// The position at `now`: the starting time less what is left; negative while more is left than that.
    ///
    /// It says where the run is, not how long it took: that is ``used(at:)``.
    public func elapsed(at now: TimerEngine.Instant) -> Duration {
        .seconds(thresholds.start) - remaining(at: now)
    }

    /// How long this run has lasted at `now`: pauses out, the time in alarm in; zero while stopped.
    public func used(at now: TimerEngine.Instant) -> Duration {
        usedTime.elapsed(at: now)
    }

    /// How long this run has been in alarm at `now`, all its alarms together where time was added in one.
    public func over(at now: TimerEngine.Instant) -> Duration {
        overTime.elapsed(at: now)
    }
}
