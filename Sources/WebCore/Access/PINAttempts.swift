package import TimerEngine
package import TimerProtocol

/// How often PINs were tried recently, and how long the next attempt must wait.
///
/// Each network has its own limits. They apply to right PINs too, because a client that knows one could log in and out
/// so often that the server forgets who has logged out. A limit for all networks together grows tighter with each hour
/// of guessing. It does not apply to networks that have a session, so that the people who run a meeting can still log
/// in.
///
/// An attempt counts as wrong from the moment it is admitted until it proves right, so many attempts at once cannot get
/// around the limits.
package struct PINAttempts: Hashable, Sendable {
    /// The decision about an attempt.
    package enum Verdict: Hashable, Sendable {
        /// The PIN may be compared after this delay.
        case after(Duration)
        /// The PIN is not checked; another attempt is worthwhile after this time.
        case refused(until: Duration)
    }

    package static let window: Duration = .seconds(60)
    /// The maximum number of wrong attempts from one address within ``window``.
    package static let perAddress = 5
    /// The number of wrong attempts in all within ``window`` after which each attempt waits for ``delay``.
    package static let total = 50
    /// The maximum number of right attempts from one address within ``window``: the members of a club log in together
    /// from one address.
    package static let rightPerAddress = 20
    package static let delay: Duration = .seconds(2)
    /// The maximum number of attempts that wait at the same time, so that there are at most five guesses a second from
    /// all networks.
    package static let waiting = 10
    /// An hour with this many attempts that were wrong or found no place counts as an hour of guessing. After each one,
    /// attempts wait twice as long, and half as many may wait.
    package static let totalPerHour = 100
    /// ``delay`` is doubled at most this many times, because a browser or a proxy would give up. That is one guess in
    /// 32 seconds, which takes decades to find a PIN.
    package static let highestLevel = 4
    /// The maximum number of wrong attempts that are remembered, of right attempts, and of networks with a session.
    private static let capacity = 4096

    private struct Attempt: Hashable, Sendable {
        let network: String
        let at: Instant
    }

    /// The wrong attempts, the oldest first.
    private var wrong: [Attempt] = []
    /// The right attempts, the oldest first.
    private var right: [Attempt] = []
    /// When each waiting attempt will be done: those of unknown networks, and those of networks with a session.
    private var (waitsOfUnknownNetworks, waitsOfKnownNetworks): ([Instant], [Instant]) = ([], [])
    /// The networks that have a session, and until when.
    private var sessions: [String: Instant] = [:]
    private var hour = Hour()

    /// The current hour, which begins with the first attempt after the previous hour.
    private struct Hour: Hashable, Sendable {
        static let length: Duration = .seconds(3600)

        var began: Instant?
        /// The attempts that were wrong or found no place.
        var vain = 0
        var isTold = false
        /// The number of hours of guessing in a row, at most ``highestLevel``; an hour without guessing lowers it by
        /// one.
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
            guard (isGuest ? waitsOfKnownNetworks : waitsOfUnknownNetworks).count < max(1, Self.waiting >> level) else {
                return .refused(until: delay)
            }
            if isGuest { waitsOfKnownNetworks.append(now + delay) } else { waitsOfUnknownNetworks.append(now + delay) }
        }
        if wrong.count >= Self.capacity { wrong.removeFirst() }
        wrong.append(Attempt(network: network, at: now))
        return .after(delay)
    }

    /// Records that an attempt proved right. Other wrong attempts of its network stay counted.
    package mutating func succeed(from network: String, at now: Instant) {
        if let place = wrong.lastIndex(where: { $0.network == network }) { wrong.remove(at: place) }
        hour.vain = max(0, hour.vain - 1)
        if right.count >= Self.capacity { right.removeFirst() }
        right.append(Attempt(network: network, at: now))
        keepPlace(for: network, at: now)
    }

    /// Exempts a network that has a session from the common limit, for the lifetime of a session from now.
    package mutating func keepPlace(for network: String, at now: Instant) {
        guard sessions[network] != nil || sessions.count < Self.capacity else { return }
        sessions[network] = now + .seconds(SessionTicket.lifetime)
    }

    /// The number of failed attempts in this hour, for the log: returned once an hour while PINs are being guessed,
    /// otherwise nil.
    package mutating func guesses(at now: Instant) -> Int? {
        forget(at: now)
        guard hour.vain >= Self.totalPerHour, !hour.isTold else { return nil }
        hour.isTold = true
        return hour.vain
    }

    /// Forgets attempts, waits and sessions that have expired.
    private mutating func forget(at now: Instant) {
        wrong.removeAll { $0.at.duration(to: now) >= Self.window }
        right.removeAll { $0.at.duration(to: now) >= Self.window }
        waitsOfUnknownNetworks.removeAll { $0 <= now }
        waitsOfKnownNetworks.removeAll { $0 <= now }
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

/// A number of eight digits that a user types to get a role.
package enum PIN {
    package static let length = 8

    /// Whether a text is such a number.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A PIN for each role, no two the same.
    ///
    /// - Parameter number: returns an unpredictable random number.
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
