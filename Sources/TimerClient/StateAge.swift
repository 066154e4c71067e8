internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

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
        if !retained, let date = state.date { offset = now.date.distance(to: date) }
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
        let nodesDate = date.addingTimeInterval(offset ?? 0)
        let age =
            if let date = state.date {
                date.distance(to: nodesDate)
            } else if let end = state.endsAt {
                // A node of version 0.1.0 tells only when a running timer ends.
                state.preciseRemaining.inSeconds - nodesDate.distance(to: end)
            } else {
                TimeInterval.zero
            }
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
