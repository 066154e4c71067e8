internal import TimerEngine
internal import TimerProtocol

/// The connection to the brokers: when to connect, to which of them, and what CONNECT carries.
struct BrokerConnection: Sendable {
    private var settings: NodeConfiguration.MQTT?
    /// Nil without brokers.
    private var reconnection: Reconnection?
    private var rejections = ReportedRejections()
    /// For the jitter of the delays between attempts.
    private let seed: UInt64

    init(_ settings: NodeConfiguration.MQTT?, seed: UInt64) {
        self.seed = seed
        self.settings = settings
        reconnection = settings.map { Reconnection(brokers: $0.brokers, version: $0.version, seed: seed) }
    }

    var nextInstant: TimerEngine.Instant? { reconnection?.nextInstant }

    mutating func start(at now: TimerEngine.Instant) { reconnection?.start(at: now) }

    mutating func stop() { reconnection?.stop() }

    /// Drops the connection, and begins one by other settings.
    mutating func reconfigure(_ settings: NodeConfiguration.MQTT?, into batch: inout EffectBatch) {
        // A broker answers at once, or stands still: the lamps do not wait for it.
        batch.connection.append(.disconnect(patience: .milliseconds(20)))
        self.settings = settings
        reconnection = settings.map { Reconnection(brokers: $0.brokers, version: $0.version, seed: seed) }
        start(at: batch.now.instant)
    }

    /// The connection is made; returns the broker.
    mutating func connected(into batch: inout EffectBatch) -> Broker? {
        guard let broker = reconnection?.broker, let version = reconnection?.version else { return nil }
        reconnection?.connected(at: batch.now.instant)
        batch.log(.info, "connected to \(broker)" + (version == .v5 ? "" : " with MQTT \(version.rawValue)"))
        return broker
    }

    /// The connection, or the attempt, ended.
    mutating func lost(_ error: ConnectionError, into batch: inout EffectBatch) {
        guard let broker = reconnection?.broker else { return }
        guard let loss = reconnection?.lost(error, at: batch.now.instant), loss.isNews else { return }
        let next = loss.triesOlder ? "; trying MQTT 3.1.1" : ""
        let hint =
            loss.looksPushedOut
            ? " soon after accepting it, again and again: another client with the client id "
                + "\(settings?.clientID ?? "") seems to take over"
            : ""
        batch.log(.warning, "no connection to \(broker): \(error)\(hint)\(next)")
    }

    /// The broker rejected a subscription or a message; each reason is logged once.
    ///
    /// - Parameter isAnnouncement: whether it concerns the announcement to Home Assistant, whose many messages are one reason.
    mutating func rejected(_ rejection: String, isAnnouncement: Bool, into batch: inout EffectBatch) {
        guard rejections.note(isAnnouncement ? "announcement" : rejection) else { return }
        batch.log(.warning, rejection + (isAnnouncement ? "; Home Assistant does not learn of the node" : ""))
    }

    /// A message is larger than the broker takes, and was left out. Its size may change, so the topic is what is logged
    /// once.
    mutating func tooLarge(_ topic: String, _ bytes: Int, limit: Int, into batch: inout EffectBatch) {
        guard rejections.note("\(topic) is over \(limit) bytes") else { return }
        batch.log(
            .warning,
            "not published: \(topic.brief) has \(bytes) bytes, and the broker takes packets of at most \(limit) bytes")
    }

    /// Abandons an attempt that takes too long, and begins one that is due.
    mutating func update(will: OutgoingMessage, into batch: inout EffectBatch) {
        let now = batch.now.instant
        if reconnection?.connectHasTimedOut(at: now) == true {
            batch.connection.append(.disconnect(patience: .zero))
            let seconds = Reconnection.connectTimeout.components.seconds
            lost(ConnectionError("no CONNACK within \(seconds) s"), into: &batch)
        }
        guard let settings, let due = reconnection, due.attemptIsDue(at: now) else { return }
        reconnection?.begin(at: now)
        let options = ConnectOptions(
            broker: due.broker, version: due.version, clientID: settings.clientID,
            keepAlive: Int(settings.keepAlive.components.seconds), credentials: settings.credentials,
            tls: due.broker.usesTLS ? settings.tls : nil, will: will)
        batch.connection.append(.connect(options))
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
