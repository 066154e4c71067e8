internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The connection to the brokers: when to connect, to which broker, and with which CONNECT options.
struct BrokerConnection: Sendable {
    /// After this many refusals of a command subscription in a row, the node leaves the broker for the next one.
    private static let maximumRefusals = 3
    /// How long a goodbye may take. A broker either responds at once or hangs, and the lamps must not wait for it.
    private static let timeout: Duration = .milliseconds(20)

    /// Nil if no brokers are configured.
    private var link: Link?
    private var rejections = ReportedRejections()
    /// How many times in a row the node has left a broker because it refused a command subscription.
    private var departures = 0
    /// Determines the jitter of the delays between attempts.
    private let seed: UInt64

    init(_ settings: NodeConfiguration.MQTT?, seed: UInt64) {
        self.seed = seed
        link = settings.map { Link($0.link, seed: seed) }
    }

    var nextInstant: Instant? { link?.nextInstant }

    mutating func start(at now: Instant) { link?.start(at: now) }

    /// Drops the connection, and starts a new one with new settings.
    mutating func reconfigure(_ settings: NodeConfiguration.MQTT?, into batch: inout EffectBatch) {
        batch.connection.append(.disconnect(timeout: Self.timeout))
        link = settings.map { Link($0.link, seed: seed) }
        departures = 0
        start(at: batch.now.instant)
    }

    /// Handles a successful connection; returns the broker and the MQTT version in use.
    mutating func connected(into batch: inout EffectBatch) -> (Broker, MQTTVersion)? {
        guard let broker = link?.broker, let version = link?.version else { return nil }
        link?.connected(at: batch.now.instant)
        batch.log(.info, "connected to \(broker)" + (version == .v5 ? "" : " with MQTT \(version.rawValue)"))
        return (broker, version)
    }

    /// Handles the end of a connection or an attempt.
    mutating func lost(_ error: ConnectionError, into batch: inout EffectBatch) {
        // The node may have left this connection at the same moment.
        guard let broker = link?.broker, link?.isUnderWay == true else { return }
        guard let loss = link?.lost(error, at: batch.now.instant), loss.isNews else { return }
        let next = loss.triesOlder ? "; trying MQTT 3.1.1" : ""
        let hint =
            loss.looksTakenOver
            ? " repeatedly, shortly after accepting it: another client with the client id "
                + "\(link?.settings.clientID ?? "") seems to take over"
            : ""
        batch.log(.warning, "no connection to \(broker): \(error)\(hint)\(next)")
    }

    /// Subscribes, and retries subscriptions that the broker refuses.
    ///
    /// - Parameters:
    ///   - subscriptions: the subscriptions that the node needs before it publishes anything.
    ///   - late: the other subscriptions. Some brokers, such as NATS, take half a second for each.
    mutating func subscribe(to subscriptions: [Subscription], late: [Subscription], into batch: inout EffectBatch) {
        link?.subscribed(to: subscriptions + late)
        batch.connection.append(.subscribe(subscriptions))
        batch.lateSubscriptions.append(.subscribe(late))
    }

    /// Logs that the broker accepted a subscription that it had previously refused.
    mutating func accepted(_ filter: String, into batch: inout EffectBatch) {
        guard let broker = link?.broker else { return }
        link?.accepted(filter)
        departures = 0
        batch.log(.info, "\(broker) now accepts the subscription to \(filter)")
    }

    /// Logs that the broker rejected a subscription or a message; each reason is logged once.
    ///
    /// - Parameter group: the group that the topic belongs to, if any; only the first rejection in a group is logged.
    mutating func rejected(_ rejection: Rejection, of group: TopicGroup?, into batch: inout EffectBatch) {
        guard let broker = link?.broker else { return }
        let line = "\(broker) refuses \(rejection)"
        guard rejections.note(group?.rawValue ?? line) else { return }
        batch.log(.warning, line + (group.map { "; \($0.consequence)" } ?? ""))
    }

    /// Topics that a broker typically rejects together.
    enum TopicGroup: String {
        /// The announcement to Home Assistant.
        case announcement
        /// The node's own retained topics, to which it subscribes.
        case ownTopics

        fileprivate var consequence: String {
            switch self {
            case .announcement: "Home Assistant cannot discover the node"
            case .ownTopics: "values that other clients publish on the node's topics are not corrected"
            }
        }
    }

    /// Schedules a retry of a refused subscription.
    ///
    /// - Parameter isCommand: whether the subscription is for the node's commands.
    /// - Returns: whether the node should connect to the next broker instead, because it cannot receive commands from
    ///   this one.
    mutating func retry(_ filter: String, after rejection: Rejection, isCommand: Bool, at now: Instant)
        -> Bool
    {
        // A subscription that libmosquitto itself rejects will always be rejected.
        guard rejection.code != nil, let link else { return false }
        if link.isGood(at: now) { departures = 0 }
        let count = self.link?.refused(filter, at: now) ?? 0
        // A topic that an access list forbids on this broker is forbidden on every broker.
        guard isCommand, !rejection.isNotAuthorized, count >= Self.maximumRefusals else { return false }
        // Each broker is tried once. If they all refuse, they presumably have such a list as well, which MQTT 3.1.1
        // cannot report.
        return departures < Set(link.settings.brokers).count - 1
    }

    /// Leaves the connected broker for the next one.
    mutating func leave(because rejection: Rejection, into batch: inout EffectBatch) {
        guard let broker = link?.broker else { return }
        batch.log(.warning, "leaving \(broker) for the next broker: it keeps refusing \(rejection)")
        batch.connection.append(.disconnect(timeout: Self.timeout))
        departures += 1
        link?.leave(at: batch.now.instant)
    }

    /// Logs that a message was dropped because it is larger than the broker accepts. Its size may vary, so this is
    /// logged once per topic.
    mutating func tooLarge(_ topic: String, _ bytes: Int, limit: Int, into batch: inout EffectBatch) {
        guard rejections.note("\(topic) is over \(limit) bytes") else { return }
        batch.log(
            .warning,
            "not published: \(topic.brief) is \(bytes) bytes, but the broker accepts packets of at most \(limit) bytes")
    }

    /// Logs that an incoming message was dropped because it is larger than the node accepts.
    mutating func leftOut(_ topic: String, _ bytes: Int, limit: Int, into batch: inout EffectBatch) {
        guard rejections.note("\(topic) has over \(limit) bytes") else { return }
        batch.log(.warning, "dropped: a message on \(topic.brief) is \(bytes) bytes, but at most \(limit) are accepted")
    }

    /// Abandons an attempt that takes too long, begins one that is due, and retries refused subscriptions.
    mutating func update(will: OutgoingMessage, into batch: inout EffectBatch) {
        for step in link?.steps(will: will, at: batch.now.instant) ?? [] {
            switch step {
            case .subscribe(let subscriptions): batch.connection.append(.subscribe(subscriptions))
            case .abandon(let error):
                batch.connection.append(.disconnect(timeout: .zero))
                lost(error, into: &batch)
            case .connect(let options): batch.connection.append(.connect(options))
            }
        }
    }
}

/// The rejections that have been logged, so that each is logged only once.
struct ReportedRejections: Hashable, Sendable {
    private static let capacity = 32
    private var known: Set<String> = []

    /// Records a rejection; returns whether it is new. The number of rejections is bounded because clients choose the
    /// response topics.
    mutating func note(_ rejection: String) -> Bool {
        known.count < Self.capacity && known.insert(rejection).inserted
    }
}
