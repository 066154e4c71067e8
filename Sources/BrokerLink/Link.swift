package import TimerEngine

/// How a client is known to its brokers, and where these are.
package struct LinkSettings: Hashable, Sendable {
    /// Tried in turn.
    package var brokers: [Broker]
    /// The version of MQTT to begin with.
    package var version = MQTTVersion.v5
    /// The client identifier.
    package var clientID: String
    /// The longest silence on the connection.
    package var keepAlive: Duration = .seconds(15)
    /// The user name and password, where there are any.
    package var credentials: Credentials?
    /// The files of TLS, for brokers that are reached by it.
    package var tls = TLSFiles()

    package init(brokers: [Broker], clientID: String) { (self.brokers, self.clientID) = (brokers, clientID) }

    fileprivate func options(_ broker: Broker, _ version: MQTTVersion, will: OutgoingMessage?) -> ConnectOptions {
        ConnectOptions(
            broker: broker, version: version, clientID: clientID, keepAlive: Int(keepAlive.components.seconds),
            credentials: credentials, tls: broker.usesTLS ? tls : nil, will: will)
    }
}

/// The one place that decides when to connect, to which broker, how long an attempt may take, and which subscriptions are
/// tried again. A node and its clients differ in what they make of the result.
///
/// A value: its owner performs the ``Step``s on an ``MQTTConnection``, and reports back what the connection says.
package struct Link: Sendable {
    /// What is to be done with the connection.
    package enum Step: Hashable, Sendable {
        /// Subscribe again to what the broker refused for a while.
        case subscribe([Subscription])
        /// Drop an attempt that takes too long, which is a loss for this reason.
        case abandon(ConnectionError)
        /// Begin an attempt.
        indirect case connect(ConnectOptions)
    }

    package let settings: LinkSettings
    private var reconnection: Reconnection
    private var retries: SubscriptionRetries

    /// A link that does nothing before ``start(at:)``.
    ///
    /// - Parameters:
    ///   - seed: for the jitter of the delays between attempts.
    ///   - longestDelay: what these grow up to.
    package init(_ settings: LinkSettings, seed: UInt64, longestDelay: Duration = Backoff.maximumDelay) {
        self.settings = settings
        reconnection = Reconnection(
            brokers: settings.brokers, version: settings.version, seed: seed, longestDelay: longestDelay)
        retries = SubscriptionRetries(seed: seed)
    }

    /// The broker that is connected, or tried next.
    package var broker: Broker { reconnection.broker }

    /// The version of MQTT that is used with it.
    package var version: MQTTVersion { reconnection.version }

    /// Whether there is a connection or an attempt.
    package var isUnderWay: Bool { reconnection.isUnderWay }

    /// Whether the connection has lasted so long, with nothing refused, that it is a good one.
    package func isGood(at now: Instant) -> Bool { reconnection.isGood(at: now) && !retries.hasRefused }

    /// When ``steps(will:at:)`` has something; nil for never.
    package var nextInstant: Instant? { .earliest(reconnection.nextInstant, retries.nextInstant) }

    /// Makes the first attempt due.
    package mutating func start(at now: Instant) { reconnection.start(at: now) }

    /// Connects no more.
    package mutating func stop() {
        reconnection.stop()
        retries.reset()
    }

    /// What is due. After ``Step/abandon(_:)`` call ``lost(_:at:)``.
    ///
    /// - Parameter will: what the broker publishes when the connection is lost; nil for nothing.
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

    /// The broker accepted the connection.
    package mutating func connected(at now: Instant) { reconnection.connected(at: now) }

    /// The connection or an attempt ended; plans the next one.
    package mutating func lost(_ error: ConnectionError, at now: Instant) -> Reconnection.Loss {
        retries.reset()
        return reconnection.lost(error, at: now)
    }

    /// Plans an attempt at the next broker, because this one is left.
    package mutating func leave(at now: Instant) {
        retries.reset()
        reconnection.leave(at: now)
    }

    /// Takes note of what is subscribed to.
    package mutating func subscribed(to subscriptions: [Subscription]) { retries.add(subscriptions) }

    /// The broker refused a subscription, which is tried again later; returns how often in a row it did.
    package mutating func refused(_ filter: String, at now: Instant) -> Int { retries.refuse(filter, at: now) }

    /// The broker accepted a subscription that it had refused before.
    package mutating func accepted(_ filter: String) { retries.accept(filter) }
}

/// The subscriptions of one connection, and when those that the broker refused are tried again.
///
/// A member of a cluster may refuse a subscription for a while, such as during an election. The refusal of an access
/// list also ends when the list is edited, so each filter is retried until the broker accepts it.
struct SubscriptionRetries: Hashable, Sendable {
    private struct Refused: Hashable, Sendable {
        var backoff: Backoff
        var count = 0
        /// When it is tried again; nil while the broker has not answered the last try.
        var dueAt: Instant?
    }

    /// By filter.
    private var subscriptions: [String: Subscription] = [:]
    private var refused: [String: Refused] = [:]
    private let seed: UInt64

    /// - Parameter seed: for the jitter of the delays.
    init(seed: UInt64) { self.seed = seed }

    /// When ``consumeDue(at:)`` has something; nil for never.
    var nextInstant: Instant? { refused.values.compactMap(\.dueAt).min() }

    /// Whether there is a subscription that the broker refused and did not accept since.
    var hasRefused: Bool { !refused.isEmpty }

    /// Forgets all of an earlier connection.
    mutating func reset() {
        subscriptions = [:]
        refused = [:]
    }

    /// Takes note of what is subscribed to.
    mutating func add(_ new: [Subscription]) {
        for subscription in new { subscriptions[subscription.filter] = subscription }
    }

    /// The broker refused a subscription; returns how often in a row it did.
    mutating func refuse(_ filter: String, at now: Instant) -> Int {
        guard subscriptions[filter] != nil else { return 0 }
        // All filters share the seed, so that they are tried again together.
        var entry = refused[filter] ?? Refused(backoff: Backoff(seed: seed, shortestShare: 0.5))
        entry.count += 1
        entry.dueAt = now + entry.backoff.next()
        refused[filter] = entry
        return entry.count
    }

    /// The broker accepted a subscription that it had refused before.
    mutating func accept(_ filter: String) { refused[filter] = nil }

    /// The subscriptions that are to be tried again now.
    mutating func consumeDue(at now: Instant) -> [Subscription] {
        let due = refused.filter { $0.value.dueAt.map { $0 <= now } ?? false }.keys.sorted()
        for filter in due { refused[filter]?.dueAt = nil }
        return due.compactMap { subscriptions[$0] }
    }
}
