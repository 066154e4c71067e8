package import TimerEngine

/// A client's brokers, and how it connects to them.
package struct LinkSettings: Hashable, Sendable {
    /// The brokers, tried in turn.
    package var brokers: [Broker]
    /// The version of MQTT to try first.
    package var version = MQTTVersion.v5
    /// The client identifier.
    package var clientID: String
    /// The longest silence on the connection.
    package var keepAlive: Duration = .seconds(15)
    /// The user name and password, if any.
    package var credentials: Credentials?
    /// The TLS files, for brokers that use it.
    package var tls = TLSFiles()

    package init(brokers: [Broker], clientID: String) { (self.brokers, self.clientID) = (brokers, clientID) }

    fileprivate func options(_ broker: Broker, _ version: MQTTVersion, will: OutgoingMessage?) -> ConnectOptions {
        ConnectOptions(
            broker: broker, version: version, clientID: clientID, keepAlive: Int(keepAlive.components.seconds),
            credentials: credentials, tls: broker.usesTLS ? tls : nil, will: will)
    }
}

/// Decides when to connect, to which broker, how long an attempt may take, and which subscriptions to retry. The node
/// and its clients share it, and differ only in their use of the result.
///
/// It is a value: its owner performs the ``Step``s on an ``MQTTConnection``, and passes back the connection's events.
package struct Link: Sendable {
    /// An action to perform on the connection.
    package enum Step: Hashable, Sendable {
        /// Retry subscriptions that the broker refused.
        case subscribe([Subscription])
        /// Abandon an attempt that takes too long; it counts as lost for this reason.
        case abandon(ConnectionError)
        /// Begin an attempt.
        indirect case connect(ConnectOptions)
    }

    package let settings: LinkSettings
    private var reconnection: Reconnection
    private var retries: SubscriptionRetries

    /// Creates a link that does nothing before ``start(at:)``.
    ///
    /// - Parameters:
    ///   - seed: for the jitter of the delays between attempts.
    ///   - longestDelay: the upper limit of these delays.
    package init(_ settings: LinkSettings, seed: UInt64, longestDelay: Duration = Backoff.maximumDelay) {
        self.settings = settings
        reconnection = Reconnection(
            brokers: settings.brokers, version: settings.version, seed: seed, longestDelay: longestDelay)
        retries = SubscriptionRetries(seed: seed)
    }

    /// The broker that is connected, or will be tried next.
    package var broker: Broker { reconnection.broker }

    /// The version of MQTT that is used with it.
    package var version: MQTTVersion { reconnection.version }

    /// Whether there is a connection or an attempt.
    package var isUnderWay: Bool { reconnection.isUnderWay }

    /// Whether the connection has lasted long enough to be a good one, with no subscription refused.
    package func isGood(at now: Instant) -> Bool { reconnection.isGood(at: now) && !retries.hasRefused }

    /// When ``steps(will:at:)`` will return a step; nil for never.
    package var nextInstant: Instant? { .earliest(reconnection.nextInstant, retries.nextInstant) }

    /// Makes the first attempt due.
    package mutating func start(at now: Instant) { reconnection.start(at: now) }

    /// Returns the steps that are due. After ``Step/abandon(_:)`` call ``lost(_:at:)``.
    ///
    /// - Parameter will: the message that the broker publishes when the connection is lost; nil for none.
    package mutating func steps(will: OutgoingMessage?, at now: Instant) -> [Step] {
        var steps: [Step] = []
        let refused = retries.consumeDue(at: now)
        if !refused.isEmpty { steps.append(.subscribe(refused)) }
        if reconnection.connectHasTimedOut(at: now) {
            let seconds = Reconnection.connectTimeout.components.seconds
            steps.append(.abandon(ConnectionError("no CONNACK within \(seconds) s")))
        } else if reconnection.attemptIsDue(at: now) {
            reconnection.begin(at: now)
            steps.append(.connect(settings.options(broker, version, will: will)))
        }
        return steps
    }

    /// Performs the steps that are due, for a client without a will.
    ///
    /// - Returns: why an attempt was abandoned, for ``lost(_:at:)``; nil if none was.
    package mutating func performSteps(on connection: any MQTTConnection, at now: Instant) -> ConnectionError? {
        var abandoned: ConnectionError?
        for step in steps(will: nil, at: now) {
            switch step {
            case .subscribe(let subscriptions): connection.subscribe(subscriptions)
            case .abandon(let error):
                connection.disconnect(timeout: .zero)
                abandoned = error
            case .connect(let options): connection.connect(options)
            }
        }
        return abandoned
    }

    /// Records that the broker accepted the connection.
    package mutating func connected(at now: Instant) { reconnection.connected(at: now) }

    /// Records the end of a connection or an attempt, and plans the next one.
    package mutating func lost(_ error: ConnectionError, at now: Instant) -> Reconnection.Loss {
        retries.reset()
        return reconnection.lost(error, at: now)
    }

    /// Plans an attempt at the next broker, because the client is leaving the current one.
    package mutating func leave(at now: Instant) {
        retries.reset()
        reconnection.leave(at: now)
    }

    /// Records new subscriptions.
    package mutating func subscribed(to subscriptions: [Subscription]) { retries.add(subscriptions) }

    /// Records that the broker refused a subscription, which is retried later; returns how many times in a row it has
    /// been refused.
    package mutating func refused(_ filter: String, at now: Instant) -> Int { retries.refuse(filter, at: now) }

    /// Records that the broker accepted a subscription that it had refused before.
    package mutating func accepted(_ filter: String) { retries.accept(filter) }
}

/// The subscriptions of one connection, and when refused ones are retried.
///
/// A member of a cluster may refuse a subscription for a while, for example during an election. A refusal by an access
/// list also ends when the list is edited. So each filter is retried until the broker accepts it.
struct SubscriptionRetries: Hashable, Sendable {
    private struct Refused: Hashable, Sendable {
        var backoff: Backoff
        var count = 0
        /// When the subscription is retried; nil until the broker has responded to the last attempt.
        var dueAt: Instant?
    }

    /// The subscriptions by filter.
    private var subscriptions: [String: Subscription] = [:]
    private var refused: [String: Refused] = [:]
    private let seed: UInt64

    /// - Parameter seed: for the jitter of the delays.
    init(seed: UInt64) { self.seed = seed }

    /// When ``consumeDue(at:)`` will return a subscription; nil for never.
    var nextInstant: Instant? { refused.values.compactMap(\.dueAt).min() }

    /// Whether there is a subscription that the broker refused and has not accepted since.
    var hasRefused: Bool { !refused.isEmpty }

    /// Forgets all subscriptions of an earlier connection.
    mutating func reset() {
        subscriptions = [:]
        refused = [:]
    }

    /// Records new subscriptions.
    mutating func add(_ new: [Subscription]) {
        for subscription in new { subscriptions[subscription.filter] = subscription }
    }

    /// Records that the broker refused a subscription; returns how many times in a row it has been refused.
    mutating func refuse(_ filter: String, at now: Instant) -> Int {
        guard subscriptions[filter] != nil else { return 0 }
        // All filters share the seed, so they are retried together.
        var entry = refused[filter] ?? Refused(backoff: Backoff(seed: seed, shortestShare: 0.5))
        entry.count += 1
        entry.dueAt = now + entry.backoff.next()
        refused[filter] = entry
        return entry.count
    }

    /// Records that the broker accepted a subscription that it had refused before.
    mutating func accept(_ filter: String) { refused[filter] = nil }

    /// Returns the subscriptions to retry now.
    mutating func consumeDue(at now: Instant) -> [Subscription] {
        let due = refused.filter { $0.value.dueAt.map { $0 <= now } ?? false }.keys.sorted()
        for filter in due { refused[filter]?.dueAt = nil }
        return due.compactMap { subscriptions[$0] }
    }
}
