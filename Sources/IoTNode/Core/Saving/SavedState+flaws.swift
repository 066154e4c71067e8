internal import FoundationEssentials
internal import TimerEngine

/// What is read is not believed: with times that nobody can have had, arithmetic would overflow, which ends a process.
extension SavedNodeState {
    /// Ten thousand years: no boot and no run takes so long.
    private static let maximumTime: Duration = .seconds(10_000 * 366 * 86_400)
    private static let maximumCountdown: Duration = .seconds(TimerEngine.Thresholds.longest)

    /// What no node can have written, in a few words; nil for a state that can be gone on from.
    var flaw: String? {
        if !Timestamp.range.contains(date) { return "its date is none of the years 1970 to 9999" }
        if !Self.isPossible(at.sinceEpoch) { return "it was saved at no time of a boot" }
        // From here on sums with `at` are safe. Saved is what has been brought up to its moment, so that what happened
        // lies before it and what is to come after it.
        let past = [startedAt, silencedAt, player.countdown.alarmedSince].compactMap(\.self)
        if !past.allSatisfy({ $0 <= at && at - Self.maximumTime <= $0 }) {
            return "something happened later than it was saved, or ages ago"
        }
        if let zero = player.countdown.zero, !(at <= zero && zero <= at + Self.maximumCountdown) {
            return "its timer is over, or runs for longer than a timer can"
        }
        let countdown = player.countdown
        let lengths = [countdown.used(at: at), countdown.over(at: at), player.lastRun?.used, player.lastRun?.over]
        if !lengths.compactMap(\.self).allSatisfy(Self.isPossible) {
            return "a run lasted for ages, or less than nothing"
        }
        return nil
    }

    private static func isPossible(_ time: Duration) -> Bool { .zero <= time && time <= maximumTime }
}
