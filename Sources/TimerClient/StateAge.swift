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
    private var madeAt = TimerEngine.Instant(sinceEpoch: .zero)
    /// Whether ``madeAt`` depends on our wall clock and the node's, which may differ.
    private var isEstimate = true
    /// How far the node's wall clock is ahead of ours; nil until a message tells.
    private var offset: TimeInterval?

    /// The time since the state was made.
    func value(at now: TimerEngine.Instant) -> Duration { max(.zero, madeAt.duration(to: now)) }

    /// A state arrived.
    mutating func receive(_ state: StateMessage, retained: Bool, at now: NodeClient.Moment) {
        isEstimate = retained
        guard retained else {
            if let date = state.date { offset = now.date.distance(to: date) }
            return madeAt = now.instant
        }
        let nodesDate = now.date.addingTimeInterval(offset ?? 0)
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
        madeAt = now.instant - .seconds(min(max(0, age), 3e9))
    }

    /// A running node told a second that had just begun.
    mutating func tick(_ remaining: Int, _ state: StateMessage, at now: TimerEngine.Instant) {
        let told = now - (state.preciseRemaining - .seconds(remaining))
        if isEstimate || told < madeAt {
            madeAt = told
        } else {
            madeAt = madeAt + min(madeAt.duration(to: told), Self.largestStep)
        }
        isEstimate = false
    }
}
