package import TimerEngine

/// How often PINs were tried of late, and what somebody who tries one now has to wait for.
///
/// Right ones have a limit, too: whoever knows a PIN could log in and out so often that the server forgets who is out.
///
/// An attempt counts as wrong from the moment it is let through until it proves right, so that many at once are no way
/// around the limits.
package struct PINAttempts: Hashable, Sendable {
    /// What becomes of an attempt.
    package enum Verdict: Hashable, Sendable {
        /// The PIN may be compared, after this time.
        case after(Duration)
        /// It is not looked at; another attempt makes sense after this time.
        case refused(until: Duration)
    }

    package static let window: Duration = .seconds(60)
    /// So many wrong ones from one address within ``window``.
    package static let perAddress = 5
    /// So many wrong ones in all within ``window``; from then on each attempt waits for ``delay``.
    package static let total = 50
    /// So many right ones from one address within ``window``: a club logs in together, and has one address.
    package static let rightPerAddress = 20
    package static let delay: Duration = .seconds(2)
    /// So many may wait at the same time, so that guesses from everywhere are five a second at most.
    package static let waiting = 10
    /// So many wrong ones are remembered, and so many right ones.
    private static let capacity = 4096

    private struct Attempt: Hashable, Sendable {
        let network: String
        let at: TimerEngine.Instant
    }

    /// The wrong ones, the oldest first.
    private var wrong: [Attempt] = []
    /// The right ones, the oldest first.
    private var right: [Attempt] = []
    /// When those who were told to wait are done with it.
    private var delayedUntil: [TimerEngine.Instant] = []

    package init() {}

    /// Decides about an attempt from an address's network, see ``IPAddress/network``.
    package mutating func begin(from network: String, at now: TimerEngine.Instant) -> Verdict {
        wrong.removeAll { $0.at.duration(to: now) >= Self.window }
        right.removeAll { $0.at.duration(to: now) >= Self.window }
        delayedUntil.removeAll { $0 <= now }
        for (attempts, most) in [(wrong, Self.perAddress), (right, Self.rightPerAddress)] {
            let own = attempts.filter { $0.network == network }
            guard own.count >= most, let oldest = own.first else { continue }
            return .refused(until: max(.seconds(1), Self.window - oldest.at.duration(to: now)))
        }
        let isSlow = wrong.count >= Self.total
        if isSlow {
            guard delayedUntil.count < Self.waiting else { return .refused(until: Self.delay) }
            delayedUntil.append(now + Self.delay)
        }
        if wrong.count >= Self.capacity { wrong.removeFirst() }
        wrong.append(Attempt(network: network, at: now))
        return .after(isSlow ? Self.delay : .zero)
    }

    /// Counts an attempt that proved right as such, and leaves the wrong ones of its network as they are.
    package mutating func succeed(from network: String, at now: TimerEngine.Instant) {
        if let place = wrong.lastIndex(where: { $0.network == network }) { wrong.remove(at: place) }
        if right.count >= Self.capacity { right.removeFirst() }
        right.append(Attempt(network: network, at: now))
    }
}
