internal import TimerEngine
internal import TimerProtocol

/// The connection to the broker.
extension NodeCore {
    mutating func handle(_ event: ConnectionEvent, into batch: inout EffectBatch) {
        switch event {
        case .connected: connected(into: &batch)
        case .lost(let failure): lost(failure, into: &batch)
        case .denied(let denial): if denials.note(denial) { batch.log(.warning, denial) }
        case .tooLarge(let topic, let bytes, let limit): tooLarge(topic, bytes, limit, into: &batch)
        case .dropped(let count): health.drop(count)
        case .message(let message): receive(message, into: &batch)
        }
    }

    private mutating func connected(into batch: inout EffectBatch) {
        guard let broker = reconnection?.broker, let version = reconnection?.version else { return }
        reconnection?.connected(at: batch.now.instant)
        health.connected(at: batch.now.instant)
        batch.log(.info, "connected to \(broker)" + (version == .v5 ? "" : " with MQTT \(version.rawValue)"))
        remotes.connected()
        // A command shows that it was sent retained, which is refused. Other devices may publish as they like.
        let commands = topics.commandFilters.map { Subscription($0, retainAsPublished: true) }
        batch.connection.append(.subscribe(commands + remotes.subscriptions))
        publishAll(into: &batch)
    }

    /// A message that the broker would close the connection for is left out; its size may change, the news is the topic.
    private mutating func tooLarge(_ topic: String, _ bytes: Int, _ limit: Int, into batch: inout EffectBatch) {
        health.drop()
        guard denials.note("\(topic) is over \(limit) bytes") else { return }
        batch.log(
            .warning,
            "not published: \(topic.brief) has \(bytes) bytes, and the broker takes packets of at most \(limit) bytes")
    }

    private mutating func lost(_ failure: ConnectionError, into batch: inout EffectBatch) {
        guard let broker = reconnection?.broker else { return }
        health.disconnected()
        guard let loss = reconnection?.lost(failure, at: batch.now.instant), loss.isNews else { return }
        let next = loss.triesOlder ? "; trying MQTT 3.1.1" : ""
        let hint =
            loss.looksPushedOut
            ? " soon after accepting it, again and again: another client with the client id "
                + "\(configuration.mqtt?.clientID ?? "") seems to take over"
            : ""
        batch.log(.warning, "no connection to \(broker): \(failure)\(hint)\(next)")
    }

    /// Abandons an attempt that takes too long, and begins one that is due.
    mutating func keepConnected(into batch: inout EffectBatch) {
        let now = batch.now.instant
        if reconnection?.connectHasTimedOut(at: now) == true {
            batch.connection.append(.disconnect(patience: .zero))
            lost(ConnectionError("no CONNACK within \(Reconnection.connectTimeout.components.seconds) s"), into: &batch)
        }
        guard reconnection?.attemptIsDue(at: now) == true, let request = linkRequest else { return }
        reconnection?.begin(at: now)
        batch.connection.append(.connect(request))
    }

    private var linkRequest: ConnectOptions? {
        guard let mqtt = configuration.mqtt, let reconnection else { return nil }
        return ConnectOptions(
            broker: reconnection.broker, version: reconnection.version, clientID: mqtt.clientID,
            keepAlive: Int(mqtt.keepAlive.components.seconds), credentials: mqtt.credentials,
            tls: reconnection.broker.usesTLS ? mqtt.tls : nil, will: availability(.offline))
    }
}
