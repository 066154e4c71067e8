package import TimerEngine
package import TimerProtocol

/// Tracks recent attempts to enter a PIN, and how long the next attempt must wait.
///
/// Each network has its own limits. They also apply to correct PINs, because a client that knows one could log in and
/// out so often that the server forgets who has logged out. A common limit for all networks grows tighter with each
/// hour of guessing. It does not apply to networks that have a session, so the people who run a meeting can still log
/// in.
///
/// An attempt counts as wrong from the moment it is admitted until it turns out to be correct, so a client cannot get
/// around the limits with many attempts at once.
package struct PINAttempts: Hashable, Sendable {
    /// Whether an attempt is admitted.
    package enum Verdict: Hashable, Sendable {
        /// The PIN may be compared after this delay.
        case after(Duration)
        /// The PIN is not checked; the client may try again after this time.
        case refused(until: Duration)
    }

    package static let window: Duration = .seconds(60)
    /// The maximum number of wrong attempts from one address within ``window``.
    package static let perAddress = 5
    /// The total number of wrong attempts within ``window`` after which each attempt waits for ``delay``.
    package static let total = 50
    /// The maximum number of correct attempts from one address within ``window``: the members of a club all log in from
    /// one address.
    package static let rightPerAddress = 20
    package static let delay: Duration = .seconds(2)
    /// The maximum number of attempts that wait at the same time, so that there are at most five guesses a second from
    /// all networks.
    package static let waiting = 10
    /// An hour with this many failed attempts, wrong or turned away, counts as an hour of guessing. After each such
    /// hour, attempts wait twice as long, and half as many may wait.
    package static let totalPerHour = 100
    /// ``delay`` is doubled at most this many times, because a browser or a proxy would give up. At one guess every 32
    /// seconds, finding a PIN takes decades.
    package static let highestLevel = 4
    /// The maximum number of wrong attempts to remember, and likewise of correct attempts and of networks with a
    /// session.
    private static let capacity = 4096

    private struct Attempt: Hashable, Sendable {
        let network: String
        let at: Instant
    }

    /// The wrong attempts, the oldest first.
    private var wrong: [Attempt] = []
    /// The correct attempts, the oldest first.
    private var right: [Attempt] = []
    /// When each waiting attempt will be finished: first the attempts from unknown networks, then those from networks
    /// with a session.
    private var (waitsOfUnknownNetworks, waitsOfKnownNetworks): ([Instant], [Instant]) = ([], [])
    /// The networks that have a session, each with the time at which its exemption ends.
    private var sessions: [String: Instant] = [:]
    private var hour = Hour()

    /// The current hour, which begins with the first attempt after the previous hour.
    private struct Hour: Hashable, Sendable {
        static let length: Duration = .seconds(3600)

        var began: Instant?
        /// The number of attempts that failed or were rejected.
        var vain = 0
        var isTold = false
        /// The number of consecutive hours of guessing, at most ``highestLevel``; an hour without guessing lowers it by
        /// one.
        var level = 0
    }

    package init() {}

    /// Decides whether to admit an attempt from a network, see ``IPAddress/network``.
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

    /// Records that an attempt was correct. Wrong attempts from the same network still count.
    package mutating func succeed(from network: String, at now: Instant) {
        if let place = wrong.lastIndex(where: { $0.network == network }) { wrong.remove(at: place) }
        hour.vain = max(0, hour.vain - 1)
        if right.count >= Self.capacity { right.removeFirst() }
        right.append(Attempt(network: network, at: now))
        keepPlace(for: network, at: now)
    }

    /// Exempts a network that has a session from the common limit, from now on for the lifetime of a session.
    package mutating func keepPlace(for network: String, at now: Instant) {
        guard sessions[network] != nil || sessions.count < Self.capacity else { return }
        sessions[network] = now + .seconds(SessionTicket.lifetime)
    }

    /// Returns the number of failed attempts in this hour, for the log: once an hour while PINs are being guessed,
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
        // There was no attempt in the hours after the first one.
        hour = Hour(began: began + Hour.length * hours, level: max(0, level - (hours - 1)))
    }
}

/// An eight-digit number that a user types to get a role.
package enum PIN {
    package static let length = 8

    /// Whether a string is a valid PIN.
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
