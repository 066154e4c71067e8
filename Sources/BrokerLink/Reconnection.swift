internal import TimerEngine

/// Decides which broker to connect to, how long an attempt may take, and when to connect again.
///
/// libmosquitto's own loop gives up on some errors. Here, another attempt follows whenever a connection ends.
package struct Reconnection: Hashable, Sendable {
    /// An attempt without CONNACK for this long is abandoned.
    static let connectTimeout: Duration = .seconds(10)
    /// A connection that lasted this long was a good one, after which the delays start again.
    static let goodConnection: Duration = .seconds(60)

    private enum State: Hashable, Sendable {
        /// Not started.
        case idle
        /// Waits for the next attempt.
        case waiting(until: Instant)
        /// Waits for CONNACK.
        case connecting(since: Instant)
        case connected(since: Instant)
    }

    /// The consequences of the end of a connection or attempt.
    package struct Loss: Hashable, Sendable {
        /// Whether the reason differs from the last one for this broker, and so should be logged.
        package let isNews: Bool
        /// Whether MQTT 3.1.1 is tried at once with this broker.
        package let triesOlder: Bool
        /// Whether this client and another client with the same client id seem to be disconnecting each other.
        package var looksTakenOver = false
    }

    /// A broker and the version of MQTT that is used with it.
    private struct Approach: Hashable, Sendable {
        let broker: Broker
        let version: MQTTVersion
    }

    private let brokers: [Broker]
    private let preferred: MQTTVersion
    /// The brokers that seem to support only 3.1.1, until an attempt with 3.1.1 fails too.
    private var v311Brokers: Set<Broker> = []
    private var brokerIndex = 0
    private var state: State = .idle
    private var backoff: Backoff
    private var lastReasons: [Approach: String] = [:]
    /// How many times in a row a broker closed a new connection without a reason.
    private var closes: [Broker: Int] = [:]
    /// The number of closes that form a pattern; a broker that restarts closes a connection only once.
    private static let patternOfCloses = 3

    init(
        brokers: [Broker], version: MQTTVersion, seed: UInt64, longestDelay: Duration = Backoff.maximumDelay
    ) {
        self.brokers = brokers
        preferred = version
        backoff = Backoff(seed: seed, longestDelay: longestDelay)
    }

    /// The broker that is connected, or will be tried next.
    var broker: Broker { brokers[brokerIndex % brokers.count] }

    /// The version of MQTT to use with it.
    var version: MQTTVersion { v311Brokers.contains(broker) ? .v311 : preferred }

    /// When ``attemptIsDue(at:)`` or ``connectHasTimedOut(at:)`` becomes true.
    var nextInstant: Instant? {
        switch state {
        case .idle, .connected: nil
        case .waiting(let until): until
        case .connecting(let since): since + Self.connectTimeout
        }
    }

    func attemptIsDue(at now: Instant) -> Bool {
        if case .waiting(let until) = state { now >= until } else { false }
    }

    func connectHasTimedOut(at now: Instant) -> Bool {
        if case .connecting(let since) = state { now >= since + Self.connectTimeout } else { false }
    }

    /// Whether there is a connection or an attempt.
    var isUnderWay: Bool {
        switch state {
        case .idle, .waiting: false
        case .connecting, .connected: true
        }
    }

    /// Whether the connection has lasted long enough to be a good one.
    func isGood(at now: Instant) -> Bool {
        if case .connected(let since) = state { since.duration(to: now) >= Self.goodConnection } else { false }
    }

    /// Makes the first attempt due.
    mutating func start(at now: Instant) {
        state = .waiting(until: now)
    }

    mutating func begin(at now: Instant) {
        state = .connecting(since: now)
    }

    mutating func connected(at now: Instant) {
        state = .connected(since: now)
        lastReasons = [:]
    }

    /// Plans the next attempt after the end of a connection or attempt.
    ///
    /// If the broker does not seem to support MQTT 5, the next attempt uses 3.1.1, at once and without increasing the
    /// delay. If that fails too, MQTT 5 is used again.
    mutating func lost(_ failure: ConnectionError, at now: Instant) -> Loss {
        let approach = Approach(broker: broker, version: version)
        let reason = failure.description
        let isNews = lastReasons.updateValue(reason, forKey: approach) != reason
        if failure.hintsAtOlderProtocol, version == .v5 {
            v311Brokers.insert(broker)
            state = .waiting(until: now)
            return Loss(isNews: isNews, triesOlder: true)
        }
        if case .connected = state {
            let isYoung = !isGood(at: now)
            resetDelay(at: now)
            closes[broker] = isYoung && failure.isUnexplainedClose ? closes[broker, default: 0] + 1 : 0
        } else {
            // The version was not the reason, or the broker has been upgraded meanwhile.
            v311Brokers.remove(broker)
            closes[broker] = 0
        }
        let looksTakenOver = closes[broker, default: 0] >= Self.patternOfCloses
        brokerIndex += 1
        state = .waiting(until: now + backoff.next())
        return Loss(isNews: isNews, triesOlder: false, looksTakenOver: looksTakenOver)
    }

    /// Plans an attempt at the next broker, because the node is leaving the connected one.
    mutating func leave(at now: Instant) {
        resetDelay(at: now)
        brokerIndex += 1
        state = .waiting(until: now + backoff.next())
    }

    /// After a good connection, however it ended, the delays of earlier outages no longer count.
    private mutating func resetDelay(at now: Instant) {
        if isGood(at: now) { backoff.reset() }
    }
}
