internal import TimerEngine

/// The connection to the broker.
extension NodeCore {
    mutating func handle(_ event: LinkEvent, in turn: inout Turn) {
        switch event {
        case .connected: connected(in: &turn)
        case .lost(let failure): lost(failure, in: &turn)
        case .denied(let denial): if denials.note(denial) { turn.log(.warning, denial) }
        case .tooLarge(let topic, let bytes, let limit): tooLarge(topic, bytes, limit, in: &turn)
        case .dropped(let count): health.drop(count)
        case .message(let message): receive(message, in: &turn)
        }
    }

    private mutating func connected(in turn: inout Turn) {
        guard let broker = supervisor?.broker, let version = supervisor?.version else { return }
        supervisor?.connected(at: turn.now.instant)
        health.connected(at: turn.now.instant)
        turn.log(.info, "connected to \(broker)" + (version == .v5 ? "" : " with MQTT \(version.rawValue)"))
        remotes.connected()
        // A command shows that it was sent retained, which is refused. Other devices may publish as they like.
        let commands = topics.commandFilters.map { Subscription($0, retainAsPublished: true) }
        turn.connection.append(.subscribe(commands + remotes.subscriptions))
        publishAll(in: &turn)
    }

    /// A message that the broker would close the connection for is left out; its size may change, the news is the topic.
    private mutating func tooLarge(_ topic: String, _ bytes: Int, _ limit: Int, in turn: inout Turn) {
        health.drop()
        guard denials.note("\(topic) is over \(limit) bytes") else { return }
        turn.log(
            .warning,
            "not published: \(topic.brief) has \(bytes) bytes, and the broker takes packets of at most \(limit) bytes")
    }

    private mutating func lost(_ failure: LinkFailure, in turn: inout Turn) {
        guard let broker = supervisor?.broker else { return }
        health.disconnected()
        guard let loss = supervisor?.lost(failure, at: turn.now.instant), loss.isNews else { return }
        let next = loss.triesOlder ? "; trying MQTT 3.1.1" : ""
        let hint =
            loss.looksPushedOut
            ? " soon after accepting it, again and again: another client with the client id "
                + "\(configuration.mqtt?.clientID ?? "") seems to take over"
            : ""
        turn.log(.warning, "no connection to \(broker): \(failure)\(hint)\(next)")
    }

    /// Abandons an attempt that takes too long, and begins one that is due.
    mutating func superviseConnection(in turn: inout Turn) {
        let now = turn.now.instant
        if supervisor?.patienceIsOver(at: now) == true {
            turn.connection.append(.disconnect(patience: .zero))
            lost(LinkFailure("no CONNACK within \(Supervisor.patience.components.seconds) s"), in: &turn)
        }
        guard supervisor?.attemptIsDue(at: now) == true, let request = linkRequest else { return }
        supervisor?.begin(at: now)
        turn.connection.append(.connect(request))
    }

    private var linkRequest: LinkRequest? {
        guard let mqtt = configuration.mqtt, let supervisor else { return nil }
        return LinkRequest(
            broker: supervisor.broker, version: supervisor.version, clientID: mqtt.clientID,
            keepAlive: Int(mqtt.keepAlive.components.seconds), credentials: mqtt.credentials,
            tls: supervisor.broker.usesTLS ? mqtt.tls : nil, will: availability("offline"))
    }
}
