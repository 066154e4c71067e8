internal import TimerEngine

/// Looks after the connection: which broker is tried, for how long, and when again.
///
/// libmosquitto's own loop gives up for good on some errors; here every end, of whatever kind, leads to another attempt.
struct Supervisor: Hashable, Sendable {
    /// An attempt without CONNACK for this long is abandoned.
    static let patience: Duration = .seconds(10)
    /// A connection that lasted this long was a good one: the delays begin anew.
    static let goodConnection: Duration = .seconds(60)

    private enum State: Hashable, Sendable {
        /// Nothing wanted, or not begun.
        case idle
        /// Waits for the next attempt.
        case waiting(until: TimerEngine.Instant)
        /// Waits for CONNACK.
        case connecting(since: TimerEngine.Instant)
        case connected(since: TimerEngine.Instant)
    }

    private let brokers: [Broker]
    private var turn = 0
    private var state: State = .idle
    private var backoff: Backoff
    private var lastReasons: [Broker: String] = [:]

    init(brokers: [Broker], seed: UInt64) {
        self.brokers = brokers
        backoff = Backoff(seed: seed)
    }

    /// The broker whose turn it is.
    var broker: Broker { brokers[turn % brokers.count] }

    var isConnected: Bool {
        if case .connected = state { true } else { false }
    }

    /// When ``attemptIsDue(at:)`` or ``patienceIsOver(at:)`` becomes true.
    var nextInstant: TimerEngine.Instant? {
        switch state {
        case .idle, .connected: nil
        case .waiting(let until): until
        case .connecting(let since): since + Self.patience
        }
    }

    func attemptIsDue(at now: TimerEngine.Instant) -> Bool {
        if case .waiting(let until) = state { now >= until } else { false }
    }

    func patienceIsOver(at now: TimerEngine.Instant) -> Bool {
        if case .connecting(let since) = state { now >= since + Self.patience } else { false }
    }

    /// Makes the first attempt due.
    mutating func start(at now: TimerEngine.Instant) {
        state = .waiting(until: now)
    }

    mutating func begin(at now: TimerEngine.Instant) {
        state = .connecting(since: now)
    }

    mutating func connected(at now: TimerEngine.Instant) {
        state = .connected(since: now)
        lastReasons = [:]
    }

    /// Plans the next attempt after the end of a connection or attempt.
    ///
    /// - Returns: whether the reason is another than this broker's last one, so worth a log line.
    mutating func lost(_ reason: String, at now: TimerEngine.Instant) -> Bool {
        if case .connected(let since) = state, since.duration(to: now) >= Self.goodConnection { backoff.reset() }
        let isNew = lastReasons.updateValue(reason, forKey: broker) != reason
        turn += 1
        state = .waiting(until: now + backoff.next())
        return isNew
    }

    mutating func stop() {
        state = .idle
    }
}
