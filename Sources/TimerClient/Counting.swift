public import FoundationEssentials
public import TimerEngine
internal import TimerProtocol

extension NodeClient {
    /// The present moment, on both clocks, as one reading.
    public struct Moment: Hashable, Sendable {
        /// On the monotonic clock: what all counting uses.
        public var instant: TimerEngine.Instant
        /// On the wall clock, which tells how old a retained message is.
        public var date: Date

        /// Joins one reading of each clock.
        public init(instant: TimerEngine.Instant, date: Date) {
            self.instant = instant
            self.date = date
        }
    }
}

/// What a node's timer counts by, on the client's monotonic clock: whoever has it needs no further message to count.
public struct Counting: Hashable, Sendable {
    /// When 0 is, or was, due; nil while stopped or paused.
    public var zero: TimerEngine.Instant?
    /// When the mode began; nil where that is not known.
    public var since: TimerEngine.Instant?
    /// When the node made the state.
    public var made: TimerEngine.Instant
    /// Whether this rests on wall clocks, which may differ, or the node is not connected, so that nobody knows.
    public var isEstimate: Bool

    /// Points on one clock.
    public init(
        zero: TimerEngine.Instant?, since: TimerEngine.Instant?, made: TimerEngine.Instant, isEstimate: Bool
    ) {
        self.zero = zero
        self.since = since
        self.made = made
        self.isEstimate = isEstimate
    }

    /// Whether both count alike, but for a difference that nobody sees.
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
    /// How long it is on, off, on and so forth.
    public var steps: [Duration]
    /// Whether it goes on from the beginning after the last step; else it is off.
    public var repeats: Bool
    /// When it began.
    public var began: TimerEngine.Instant
}

extension NodeMirror {
    /// How those outputs go on and off that blink, by their names; nil until the node's state is known.
    public var patterns: [String: BlinkPattern]? {
        state?.patterns.compactMapValues { pattern in
            instant(pattern.began).map {
                BlinkPattern(steps: pattern.steps, repeats: pattern.repeats, began: $0)
            }
        }
    }
    /// What the timer counts by; nil until the node's state is known.
    public var counting: Counting? {
        guard let state else { return nil }
        return Counting(
            zero: state.clock.zero.flatMap(instant), since: state.clock.since.flatMap(instant), made: stateMadeAt,
            isEstimate: isStateEstimated || !isOnline)
    }
}

/// Tells how old a node's state is, by what arrives and when.
///
/// A message that has just been published is as old as its way through the network, which is short and varies. A
/// retained one may be hours old: its date tells that, by the difference between the node's wall clock and ours.
struct StateAge: Hashable, Sendable {
    /// How far a tick that came later than others did moves the count, at most: it follows the node's clock where that
    /// is slower than ours, and not the delays of the network.
    private static let largestStep: Duration = .milliseconds(1)

    /// When the state was made, on our monotonic clock.
    private(set) var madeAt = Instant(sinceEpoch: .zero)
    /// Whether ``madeAt`` depends on our wall clock and the node's, which may differ.
    private(set) var isEstimate = true
    /// How far the node's wall clock is ahead of ours; nil until a message tells.
    private var offset: TimeInterval?

    /// A state arrived.
    ///
    /// - Parameter previous: the one before, of which ``madeAt`` is known; nil where there was none.
    mutating func receive(
        _ state: StateMessage, after previous: StateMessage?, retained: Bool, at now: NodeClient.Moment
    ) {
        if !retained { offset = now.date.distance(to: state.date) }
        if !isEstimate, let previous, state.endsLike(previous) {
            // The same run counts on, whatever else has changed, and this message may have taken longer than others.
            madeAt = madeAt + (previous.preciseRemaining - state.preciseRemaining)
            if !retained { adjust(to: now.instant) }
            return
        }
        isEstimate = retained
        madeAt = retained ? now.instant - age(of: state, at: now.date) : now.instant
    }

    /// Whether what a node dated was sent within the last 2 s. A message that was not retained has been, unless the node's
    /// clock is known and says otherwise: a node publishes older ones again.
    func isNew(_ date: Date, retained: Bool, at now: Date) -> Bool {
        guard let offset = offset ?? (retained ? 0 : nil) else { return true }
        return date.distance(to: now.addingTimeInterval(offset)) < 2
    }

    /// How old a retained state is, by its date.
    private func age(of state: StateMessage, at date: Date) -> Duration {
        let age = state.date.distance(to: date.addingTimeInterval(offset ?? 0))
        // Over a century a clock is wrong, and arithmetic with what it says might overflow.
        return .seconds(min(max(0, age), 3e9))
    }

    /// A running node told a second that had just begun.
    mutating func tick(_ remaining: Int, _ state: StateMessage, at now: Instant) {
        // At zero it is the next timer's, whose state comes after it.
        if !isEstimate, remaining > 0, madeAt.duration(to: now) >= state.preciseRemaining { return }
        // No state is younger than now, whatever somebody tells.
        let told = min(now, now - (state.preciseRemaining - .seconds(remaining)))
        if isEstimate { madeAt = told } else { adjust(to: told) }
        isEstimate = false
    }

    /// Takes over an instant that the delay of a message may have made too late.
    private mutating func adjust(to told: Instant) {
        madeAt = min(told, madeAt + Self.largestStep)
    }
}

extension StateMessage {
    /// Whether both are of a run that ends at the same date; nothing but a command moves the end by as much as a tenth of
    /// a second at once.
    fileprivate func endsLike(_ other: StateMessage) -> Bool {
        guard let end = endsAt, let otherEnd = other.endsAt else { return false }
        return abs(end.distance(to: otherEnd)) < 0.1
    }
}

// What a node's messages tell of the meeting in progress.
extension NodeMirror {
    /// When the meeting in progress is expected to end: with this and the following timers of its group.
    ///
    /// It is nil unless the timer runs, and unless its group is the attended meeting: its timers take as long together as
    /// the meeting, within a tenth. A group that is only a part of the meeting says nothing about its end.
    public func expectedEndOfMeeting(at now: NodeClient.Moment) -> Date? {
        guard let state, state.mode.isRunning, let meeting = state.meeting, isPlanned(meeting), let left = meeting.left,
            let remaining = remaining(at: now.instant)
        else { return nil }
        return now.date.addingTimeInterval((remaining + .seconds(max(0, left - state.remaining))).inSeconds)
    }

    /// Whether the timers of the selected group make up a meeting.
    private func isPlanned(_ meeting: StateMessage.Meeting) -> Bool {
        guard let group = state?.timer.path.group, let groups = timers?.model.groups, groups.indices.contains(group)
        else { return false }
        // One that began early has a longer way to its end.
        let begin = agenda?.inProgress.first { $0.name == meeting.name && $0.endsAt == meeting.plannedEnd }?.beginsAt
        let length = (begin ?? meeting.beganAt).distance(to: meeting.plannedEnd)
        let planned = TimeInterval(groups[group].timers.reduce(0) { $0 + $1.thresholds.start })
        return abs(planned - length) <= length / 10
    }
}
