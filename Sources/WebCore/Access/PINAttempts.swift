package import TimerEngine
package import TimerProtocol

/// How often PINs were tried of late, and what somebody who tries one now has to wait for.
///
/// Each network has limits of its own. They hold for right PINs too, because whoever knows one could log in and out so
/// often that the server forgets who has logged out. A limit for all networks together grows tighter with each hour of
/// guessing. It does not apply to networks that have a session, so that the people who run a meeting can still log in.
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
    /// An hour with so many that were wrong or found no place is one of guessing: after each, attempts wait twice as long,
    /// and half as many wait.
    package static let totalPerHour = 100
    /// Attempts wait no longer than ``delay`` doubled so many times: a browser or a proxy would give up. That is one guess
    /// in 32 seconds, which takes decades to find a PIN.
    package static let highestLevel = 4
    /// So many wrong ones are remembered, so many right ones, and so many networks that have a session.
    private static let capacity = 4096

    private struct Attempt: Hashable, Sendable {
        let network: String
        let at: Instant
    }

    /// The wrong ones, the oldest first.
    private var wrong: [Attempt] = []
    /// The right ones, the oldest first.
    private var right: [Attempt] = []
    /// When those who were told to wait are done with it: those of unknown networks, and those of networks with a session.
    private var (strangersUntil, guestsUntil): ([Instant], [Instant]) = ([], [])
    /// Until when the networks that have a session have it.
    private var sessions: [String: Instant] = [:]
    private var hour = Hour()

    /// The present hour, which begins with the first attempt after the last one.
    private struct Hour: Hashable, Sendable {
        static let length: Duration = .seconds(3600)

        var began: Instant?
        /// How many were wrong, or found no place.
        var vain = 0
        var isTold = false
        /// How many hours of guessing there were in a row, at most ``highestLevel``; an hour without takes one away.
        var level = 0
    }

    package init() {}

    /// Decides about an attempt from an address's network, see ``IPAddress/network``.
    package mutating func begin(from network: String, at now: Instant) -> Verdict {
        forget(at: now)
        for (attempts, most) in [(wrong, Self.perAddress), (right, Self.rightPerAddress)] {
            let own = attempts.filter { $0.network == network }
            guard own.count >= most, let oldest = own.first else { continue }
            return .refused(until: max(.seconds(1), Self.window - oldest.at.duration(to: now)))
        }
        hour.vain += 1
        let isSlow = hour.level > 0 || wrong.count >= Self.total
        let isGuest = sessions[network] != nil
        let level = isGuest ? 0 : hour.level
        let delay = isSlow ? Self.delay * (1 << level) : .zero
        if isSlow {
            guard (isGuest ? guestsUntil : strangersUntil).count < max(1, Self.waiting >> level) else {
                return .refused(until: delay)
            }
            if isGuest { guestsUntil.append(now + delay) } else { strangersUntil.append(now + delay) }
        }
        if wrong.count >= Self.capacity { wrong.removeFirst() }
        wrong.append(Attempt(network: network, at: now))
        return .after(delay)
    }

    /// Counts an attempt that proved right as such, and leaves the wrong ones of its network as they are.
    package mutating func succeed(from network: String, at now: Instant) {
        if let place = wrong.lastIndex(where: { $0.network == network }) { wrong.remove(at: place) }
        hour.vain = max(0, hour.vain - 1)
        if right.count >= Self.capacity { right.removeFirst() }
        right.append(Attempt(network: network, at: now))
        keepPlace(for: network, at: now)
    }

    /// Keeps places for a network that has a session, as long as one lasts from now.
    package mutating func keepPlace(for network: String, at now: Instant) {
        guard sessions[network] != nil || sessions.count < Self.capacity else { return }
        sessions[network] = now + .seconds(SessionTicket.lifetime)
    }

    /// The number of failed attempts in this hour, for the log: returned once an hour while somebody guesses, else nil.
    package mutating func guesses(at now: Instant) -> Int? {
        forget(at: now)
        guard hour.vain >= Self.totalPerHour, !hour.isTold else { return nil }
        hour.isTold = true
        return hour.vain
    }

    /// Forgets what is over.
    private mutating func forget(at now: Instant) {
        wrong.removeAll { $0.at.duration(to: now) >= Self.window }
        right.removeAll { $0.at.duration(to: now) >= Self.window }
        strangersUntil.removeAll { $0 <= now }
        guestsUntil.removeAll { $0 <= now }
        guard let began = hour.began else {
            hour.began = now
            return
        }
        let hours = Int(began.duration(to: now) / Hour.length)
        guard hours > 0 else { return }
        sessions = sessions.filter { $0.value > now }
        let level = hour.vain >= Self.totalPerHour ? min(hour.level + 1, Self.highestLevel) : hour.level - 1
        // The hours after the first one had no attempt.
        hour = Hour(began: began + Hour.length * hours, level: max(0, level - (hours - 1)))
    }
}

/// A number of eight digits that somebody types to get a role.
package enum PIN {
    package static let length = 8

    /// Whether a text is such a number.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A PIN for each role, none the same.
    ///
    /// - Parameter number: a random number that nobody can guess.
    package static func each(_ number: () -> UInt64) -> [Role: String] {
        var pins: [Role: String] = [:]
        for role in Role.allCases {
            var pin: String
            repeat {
                let digits = String(number() % 100_000_000)
                pin = String(repeating: "0", count: length - digits.utf8.count) + digits
            } while pins.values.contains(pin)
            pins[role] = pin
        }
        return pins
    }
}
