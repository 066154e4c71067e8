public import FoundationEssentials
public import TimerEngine
internal import TimerProtocol

extension NodeClient {
    /// The current moment on both clocks, read at the same time.
    public struct Moment: Hashable, Sendable {
        /// The moment on the monotonic clock, which is used for all counting.
        public var instant: TimerEngine.Instant
        /// The moment on the wall clock, which is used to find out how old a retained message is.
        public var date: Date

        /// A moment with a reading of each clock.
        public init(instant: TimerEngine.Instant, date: Date) {
            self.instant = instant
            self.date = date
        }
    }
}

/// The instants from which to count a node's timer, on the client's monotonic clock. A display needs no further
/// messages to count.
public struct Counting: Hashable, Sendable {
    /// When the time left reaches 0, or when it reached 0; nil while stopped or paused.
    public var zero: TimerEngine.Instant?
    /// When the mode began; nil if unknown.
    public var since: TimerEngine.Instant?
    /// When the node created the state.
    public var made: TimerEngine.Instant
    /// Whether the instants are an estimate: they depend on wall clocks, which may differ, or the node is not
    /// connected.
    public var isEstimate: Bool

    /// Instants on one clock.
    public init(
        zero: TimerEngine.Instant?, since: TimerEngine.Instant?, made: TimerEngine.Instant, isEstimate: Bool
    ) {
        self.zero = zero
        self.since = since
        self.made = made
        self.isEstimate = isEstimate
    }

    /// Whether both show the same time to within the tolerance.
    package func isLike(_ other: Counting, within tolerance: Duration) -> Bool {
        isEstimate == other.isEstimate && Self.near(zero, other.zero, tolerance)
            && Self.near(since, other.since, tolerance) && Self.near(made, other.made, tolerance)
    }

    private static func near(_ one: Instant?, _ other: Instant?, _ most: Duration) -> Bool {
        guard let one, let other else { return one == other }
        let difference = one.duration(to: other)
        return difference <= most && .zero - difference <= most
    }
}

/// How an output goes on and off, on the client's monotonic clock.
public struct BlinkPattern: Hashable, Sendable {
    /// The alternating lengths of the on and off phases, beginning with on.
    public var steps: [Duration]
    /// Whether it starts again after the last step; otherwise it stays off.
    public var repeats: Bool
    /// When it began.
    public var began: TimerEngine.Instant
}

extension NodeMirror {
    /// The patterns of the outputs that blink, by their names; nil until the node's state is known.
    public var patterns: [String: BlinkPattern]? {
        state?.patterns.compactMapValues { pattern in
            instant(pattern.began).map {
                BlinkPattern(steps: pattern.steps, repeats: pattern.repeats, began: $0)
            }
        }
    }
    /// The instants from which to count the timer; nil until the node's state is known.
    public var counting: Counting? {
        guard let state else { return nil }
        return Counting(
            zero: state.clock.zero.flatMap(instant), since: state.clock.since.flatMap(instant), made: stateMadeAt,
            isEstimate: isStateEstimated || !isOnline)
    }
}

/// Estimates the age of a node's state from the messages that arrive and their arrival times.
///
/// A message that has just been published is as old as its delay in the network, which is short and varies. A retained
/// one may be hours old: its age follows from its date and the difference between the node's wall clock and ours.
struct StateAge: Hashable, Sendable {
    /// The maximum by which a late tick may move the count. The count follows the node's clock if that is slower than
    /// ours, but it does not follow the delays of the network.
    private static let largestStep: Duration = .milliseconds(1)

    /// When the state was created, on our monotonic clock.
    private(set) var madeAt = Instant(sinceEpoch: .zero)
    /// Whether ``madeAt`` depends on our wall clock and the node's, which may differ.
    private(set) var isEstimate = true
    /// The offset of the node's wall clock from ours; nil until a message reveals it.
    private var offset: TimeInterval?

    /// Records a state that has arrived.
    ///
    /// - Parameter previous: the previous state, to which ``madeAt`` applies; nil if there was none.
    mutating func receive(
        _ state: StateMessage, after previous: StateMessage?, retained: Bool, at now: NodeClient.Moment
    ) {
        if !retained { offset = now.date.distance(to: state.date) }
        if !isEstimate, let previous, state.endsLike(previous) {
            // The same run continues, even if other values have changed, and this message may have taken longer than
            // earlier ones.
            madeAt = madeAt + (previous.preciseRemaining - state.preciseRemaining)
            if !retained { adjust(to: now.instant) }
            return
        }
        isEstimate = retained
        madeAt = retained ? now.instant - age(of: state, at: now.date) : now.instant
    }

    /// Whether a message with this date was sent within the last 2 s. A message that is not retained is assumed to be
    /// new, unless the node's clock is known and shows that it is not: a node publishes older messages again.
    func isNew(_ date: Date, retained: Bool, at now: Date) -> Bool {
        guard let offset = offset ?? (retained ? 0 : nil) else { return true }
        return date.distance(to: now.addingTimeInterval(offset)) < 2
    }

    /// Returns the age of a retained state, by its date.
    private func age(of state: StateMessage, at date: Date) -> Duration {
        let age = state.date.distance(to: date.addingTimeInterval(offset ?? 0))
        // An age of a century means that a clock is wrong, and arithmetic with larger ages might overflow.
        return .seconds(min(max(0, age), 3e9))
    }

    /// Records a tick: on a running node, a second has just begun.
    mutating func tick(_ remaining: Int, _ state: StateMessage, at now: Instant) {
        // After zero, the tick belongs to the next timer, whose state arrives after it.
        if !isEstimate, remaining > 0, madeAt.duration(to: now) >= state.preciseRemaining { return }
        // No state was created later than now, no matter what a message claims.
        let told = min(now, now - (state.preciseRemaining - .seconds(remaining)))
        if isEstimate { madeAt = told } else { adjust(to: told) }
        isEstimate = false
    }

    /// Adopts an instant that may be too late because of a message's delay.
    private mutating func adjust(to told: Instant) {
        madeAt = min(told, madeAt + Self.largestStep)
    }
}

extension StateMessage {
    /// Whether both belong to a run that ends at the same date. Only a command moves the end by a tenth of a second or
    /// more at once.
    fileprivate func endsLike(_ other: StateMessage) -> Bool {
        guard let end = endsAt, let otherEnd = other.endsAt else { return false }
        return abs(end.distance(to: otherEnd)) < 0.1
    }
}

// The end of the meeting in progress, from a node's messages.
extension NodeMirror {
    /// Returns when the meeting in progress is expected to end: after this timer and the timers that follow it in its
    /// group.
    ///
    /// The result is nil unless the timer runs and its group covers the attended meeting: together, the timers must
    /// take as long as the meeting, within a tenth. A group that covers only part of the meeting does not determine its
    /// end.
    public func expectedEndOfMeeting(at now: NodeClient.Moment) -> Date? {
        guard let state, state.mode.isRunning, let meeting = state.meeting, isPlanned(meeting), let left = meeting.left,
            let remaining = remaining(at: now.instant)
        else { return nil }
        return now.date.addingTimeInterval((remaining + .seconds(max(0, left - state.remaining))).inSeconds)
    }

    /// Whether the timers in the selected group make up a meeting.
    private func isPlanned(_ meeting: StateMessage.Meeting) -> Bool {
        guard let group = state?.timer.path.group, let groups = timers?.model.groups, groups.indices.contains(group)
        else { return false }
        // A meeting that began early has more time until its planned end.
        let begin = agenda?.inProgress.first { $0.name == meeting.name && $0.endsAt == meeting.plannedEnd }?.beginsAt
        let length = (begin ?? meeting.beganAt).distance(to: meeting.plannedEnd)
        let planned = TimeInterval(groups[group].timers.reduce(0) { $0 + $1.thresholds.start })
        return abs(planned - length) <= length / 10
    }
}
