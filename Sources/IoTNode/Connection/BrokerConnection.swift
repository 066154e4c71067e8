internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The connection to the brokers: when to connect, to which of them, and what CONNECT carries.
struct BrokerConnection: Sendable {
    /// A broker that refuses a subscription for commands this often in a row is left for the next one.
    private static let maximumRefusals = 3
    /// How long a goodbye may take. A broker answers at once, or stands still: the lamps do not wait for it.
    private static let patience: Duration = .milliseconds(20)

    /// Nil without brokers.
    private var link: Link?
    private var rejections = ReportedRejections()
    /// How often in a row a broker was left because it refused commands.
    private var departures = 0
    /// For the jitter of the delays between attempts.
    private let seed: UInt64

    init(_ settings: NodeConfiguration.MQTT?, seed: UInt64) {
        self.seed = seed
        link = settings.map { Link($0.link, seed: seed) }
    }

    var nextInstant: Instant? { link?.nextInstant }

    mutating func start(at now: Instant) { link?.start(at: now) }

    mutating func stop() { link?.stop() }

    /// Drops the connection, and begins one by other settings.
    mutating func reconfigure(_ settings: NodeConfiguration.MQTT?, into batch: inout EffectBatch) {
        batch.connection.append(.disconnect(patience: Self.patience))
        link = settings.map { Link($0.link, seed: seed) }
        departures = 0
        start(at: batch.now.instant)
    }

    /// The connection is made; returns the broker, and the version of MQTT that is used with it.
    mutating func connected(into batch: inout EffectBatch) -> (Broker, MQTTVersion)? {
        guard let broker = link?.broker, let version = link?.version else { return nil }
        link?.connected(at: batch.now.instant)
        batch.log(.info, "connected to \(broker)" + (version == .v5 ? "" : " with MQTT \(version.rawValue)"))
        return (broker, version)
    }

    /// The connection, or the attempt, ended.
    mutating func lost(_ error: ConnectionError, into batch: inout EffectBatch) {
        // The node may have left this connection in the same moment.
        guard let broker = link?.broker, link?.isUnderWay == true else { return }
        guard let loss = link?.lost(error, at: batch.now.instant), loss.isNews else { return }
        let next = loss.triesOlder ? "; trying MQTT 3.1.1" : ""
        let hint =
            loss.looksPushedOut
            ? " soon after accepting it, again and again: another client with the client id "
                + "\(link?.settings.clientID ?? "") seems to take over"
            : ""
        batch.log(.warning, "no connection to \(broker): \(error)\(hint)\(next)")
    }

    /// Subscribes, and goes on trying what the broker refuses.
    ///
    /// - Parameters:
    ///   - subscriptions: those that the node needs before anything is published.
    ///   - late: the others. A broker may take half a second for each, as NATS does.
    mutating func subscribe(to subscriptions: [Subscription], late: [Subscription], into batch: inout EffectBatch) {
        link?.subscribed(to: subscriptions + late)
        batch.connection.append(.subscribe(subscriptions))
        batch.lateSubscriptions.append(.subscribe(late))
    }

    /// The broker accepted a subscription after it had refused it.
    mutating func accepted(_ filter: String, into batch: inout EffectBatch) {
        guard let broker = link?.broker else { return }
        link?.accepted(filter)
        departures = 0
        batch.log(.info, "\(broker) accepts the subscription to \(filter) now")
    }

    /// The broker rejected a subscription or a message; each reason is logged once.
    ///
    /// - Parameter group: what has many topics, of which only the first rejection is logged.
    mutating func rejected(_ rejection: Rejection, of group: TopicGroup?, into batch: inout EffectBatch) {
        guard let broker = link?.broker else { return }
        let line = "\(broker) refuses \(rejection)"
        guard rejections.note(group?.rawValue ?? line) else { return }
        batch.log(.warning, line + (group.map { "; \($0.consequence)" } ?? ""))
    }

    /// Topics that a broker rejects all together.
    enum TopicGroup: String {
        /// The announcement to Home Assistant.
        case announcement
        /// The node's own retained topics, to which it subscribes.
        case ownTopics

        fileprivate var consequence: String {
            switch self {
            case .announcement: "Home Assistant does not learn of the node"
            case .ownTopics: "what others leave on the node's topics stays there"
            }
        }
    }

    /// Plans another try of a refused subscription.
    ///
    /// - Parameter isCommand: whether it is one for the node's commands.
    /// - Returns: whether the node should rather go to the next broker, because this one leaves it deaf to commands.
    mutating func retry(_ filter: String, after rejection: Rejection, isCommand: Bool, at now: Instant)
        -> Bool
    {
        // What libmosquitto does not take, it never will.
        guard rejection.code != nil, let link else { return false }
        if link.isGood(at: now) { departures = 0 }
        let count = self.link?.refused(filter, at: now) ?? 0
        // What the access list forbids here, it forbids at each broker.
        guard isCommand, !rejection.isNotAuthorized, count >= Self.maximumRefusals else { return false }
        // Once round: brokers that all refuse have such a list too, which MQTT 3.1.1 cannot say.
        return departures < Set(link.settings.brokers).count - 1
    }

    /// Leaves a broker that is connected for the next one.
    mutating func leave(because rejection: Rejection, into batch: inout EffectBatch) {
        guard let broker = link?.broker else { return }
        batch.log(.warning, "leaving \(broker) for the next broker: it keeps refusing \(rejection)")
        batch.connection.append(.disconnect(patience: Self.patience))
        departures += 1
        link?.leave(at: batch.now.instant)
    }

    /// A message is larger than the broker takes, and was left out. Its size may change, so the topic is what is logged
    /// once.
    mutating func tooLarge(_ topic: String, _ bytes: Int, limit: Int, into batch: inout EffectBatch) {
        guard rejections.note("\(topic) is over \(limit) bytes") else { return }
        batch.log(
            .warning,
            "not published: \(topic.brief) has \(bytes) bytes, and the broker takes packets of at most \(limit) bytes")
    }

    /// A message that arrived is larger than the node takes, and was left out.
    mutating func leftOut(_ topic: String, _ bytes: Int, limit: Int, into batch: inout EffectBatch) {
        guard rejections.note("\(topic) has over \(limit) bytes") else { return }
        batch.log(.warning, "left out: a message on \(topic.brief) has \(bytes) bytes, at most \(limit) are taken")
    }

    /// Abandons an attempt that takes too long, begins one that is due, and tries refused subscriptions again.
    mutating func update(will: OutgoingMessage, into batch: inout EffectBatch) {
        for step in link?.steps(will: will, at: batch.now.instant) ?? [] {
            switch step {
            case .subscribe(let subscriptions): batch.connection.append(.subscribe(subscriptions))
            case .abandon(let error):
                batch.connection.append(.disconnect(patience: .zero))
                lost(error, into: &batch)
            case .connect(let options): batch.connection.append(.connect(options))
            }
        }
    }
}

/// Rejections that were logged, to log each of them once.
struct ReportedRejections: Hashable, Sendable {
    private static let capacity = 32
    private var known: Set<String> = []

    /// Whether this one is new. Their number is bounded, because others may choose the topics of responses.
    mutating func note(_ rejection: String) -> Bool {
        known.count < Self.capacity && known.insert(rejection).inserted
    }
}
