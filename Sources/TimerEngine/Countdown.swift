extension TimerEngine {
    /// The arithmetic of one timer: a state machine that is told what time it is and answers what happened.
    ///
    /// Each call first brings the countdown up to its instant, so that what fell due before comes before what the call
    /// does. Between two changes there is nothing to do: ``nextInstant`` says when there will be.
    public struct Countdown: Hashable, Sendable {
        /// What is reported, in the order of the returned arrays.
        public enum Event: Hashable, Sendable {
            /// A second is shown, due at this instant.
            case tick(Int, at: Instant)
            /// The mode changed, due at this instant.
            case transition(from: Mode, to: Mode, at: Instant)
        }

        enum State: Hashable, Sendable {
            /// Can start.
            case stopped
            /// Reaches zero at `zero`; `ticked` is the last second reported. Can pause, end, stop.
            case running(zero: Instant, ticked: Int)
            /// Holds `remaining`, more than nothing. Can resume, end, stop.
            case paused(remaining: Duration)
            /// At zero since `since`. Can stop, start, hold or run on with given time.
            case alarm(since: Instant)
        }

        /// The times of each run.
        public internal(set) var thresholds: Thresholds
        var state: State = .stopped
        var stopwatch = Stopwatch()

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

        /// The time left at `now`, never below zero; the starting time while stopped.
        public func remaining(at now: Instant) -> Duration {
            switch state {
            case .stopped: .seconds(thresholds.start)
            case .running(let zero, _): max(.zero, now.duration(to: zero))
            case .paused(let remaining): remaining
            case .alarm: .zero
            }
        }

        /// The seconds that a display shows at `now`: the time left, rounded up.
        public func shownSeconds(at now: Instant) -> Int {
            remaining(at: now).shownSeconds
        }

        /// When a running countdown reaches zero, else nil.
        public var zero: Instant? {
            if case .running(let zero, _) = state { zero } else { nil }
        }

        /// Since when the alarm has been on, else nil.
        public var alarmedSince: Instant? {
            if case .alarm(let since) = state { since } else { nil }
        }

        /// How long this run has lasted at `now`: pauses out, the time in alarm in.
        public func used(at now: Instant) -> Duration {
            stopwatch.elapsed(at: now)
        }

        /// When ``advance(to:)`` next has something to report; nil while nothing passes.
        public var nextInstant: Instant? {
            if case .running(let zero, let ticked) = state { zero - .seconds(ticked - 1) } else { nil }
        }
    }
}

extension TimerEngine {
    /// A call that the countdown's mode does not allow; nothing changed.
    public enum CountdownError: Error, Hashable {
        /// The call has no meaning in this mode.
        case notAllowed(in: Mode)
        /// A starting time of 0 cannot run.
        case nothingToRun
        /// More than ``TimerEngine/Thresholds/longest`` seconds would be left.
        case tooLong(seconds: Int)
    }
}

/// Time that runs and halts.
struct Stopwatch: Hashable, Sendable, Codable {
    private var before: Duration = .zero
    private var runningSince: TimerEngine.Instant?

    func elapsed(at now: TimerEngine.Instant) -> Duration {
        before + (runningSince?.duration(to: now) ?? .zero)
    }

    mutating func run(at now: TimerEngine.Instant) {
        if runningSince == nil { runningSince = now }
    }

    mutating func halt(at now: TimerEngine.Instant) {
        before = elapsed(at: now)
        runningSince = nil
    }
}
