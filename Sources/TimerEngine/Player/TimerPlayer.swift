/// Plays the timers of a model: the selected one's countdown, and the sequence that its group makes.
///
/// A value like the ``TimerEngine/Countdown`` in it: it is told what time it is and answers what happened. Each call
/// first brings it up to its instant; one that throws changes nothing.
///
/// At the boundary of a sequence no time is lost: the next timer starts at the instant at which zero was due, however
/// late that is noticed.
public struct TimerPlayer: Hashable, Sendable {
    /// What is reported, in the order of the returned arrays.
    public enum Event: Hashable, Sendable {
        /// A second is shown, due at this instant.
        case tick(Int, at: TimerEngine.Instant)
        /// The mode changed, due at this instant.
        case modeChanged(from: TimerEngine.Mode, to: TimerEngine.Mode, at: TimerEngine.Instant)
        /// The sequence went on to another timer, due at this instant.
        case movedOn(from: TimerPath, to: TimerPath, at: TimerEngine.Instant)
        /// A run ended: by a stop, by a new start, or by going on to the next.
        case runEnded(Run, at: TimerEngine.Instant)
    }

    /// A run that ended.
    public struct Run: Hashable, Sendable, Codable {
        /// The timer that ran, where it was then.
        public let path: TimerPath
        /// The name it ran under.
        public let name: String
        /// How long it took: pauses out, the time in alarm in.
        public let used: Duration
        /// How much of it was time in alarm.
        public let over: Duration

        enum CodingKeys: CodingKey { case path, name, used, over }
    }

    /// What a single run has of its own, without an edit of the timer.
    public struct OneOff: Hashable, Sendable, Codable {
        /// The times of this run.
        public var thresholds: TimerEngine.Thresholds
        /// The name of this run; nil keeps the timer's.
        public var name: String?

        /// Times for one run.
        public init(thresholds: TimerEngine.Thresholds, name: String? = nil) {
            self.thresholds = thresholds
            self.name = name
        }
    }

    /// The timers, and which of them is selected.
    public internal(set) var model: TimerModel
    /// The arithmetic of the selected timer.
    public internal(set) var countdown: TimerEngine.Countdown
    /// What the present run has of its own; nil while stopped and in an ordinary run.
    public internal(set) var oneOff: OneOff?
    /// The last run that ended.
    public internal(set) var lastRun: Run?

    /// A stopped player.
    public init(_ model: TimerModel = TimerModel()) {
        self.model = model
        countdown = TimerEngine.Countdown(model.selectedTimer.thresholds)
    }

    /// What the selected timer is doing, as of the last call.
    public var mode: TimerEngine.Mode { countdown.mode }

    /// The name of what runs or is selected.
    public var name: String { oneOff?.name ?? model.selectedTimer.name }

    /// When ``advance(to:)`` next has something to report; nil while nothing passes.
    public var nextInstant: TimerEngine.Instant? { countdown.nextInstant }

    /// The timer that follows at zero; nil where the alarm does.
    ///
    /// A run with times of its own is no part of a sequence.
    public var upNext: TimerPath? {
        oneOff == nil ? model.successor(of: model.selected) : nil
    }

    /// The same on a clock whose zero lies `duration` earlier: each instant is that much later.
    public mutating func shift(by duration: Duration) {
        countdown.shift(by: duration)
    }
}

extension TimerPlayer.Event {
    init(_ event: TimerEngine.Countdown.Event) {
        self =
            switch event {
            case .tick(let second, let instant): .tick(second, at: instant)
            case .transition(let from, let to, let instant): .modeChanged(from: from, to: to, at: instant)
            }
    }

    /// When it was due.
    public var instant: TimerEngine.Instant {
        switch self {
        case .tick(_, let instant), .modeChanged(_, _, let instant), .movedOn(_, _, let instant),
            .runEnded(_, let instant):
            instant
        }
    }
}
