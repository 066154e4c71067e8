internal import TimerEngine

/// The connection to the broker.
extension NodeCore {
    mutating func handle(_ event: LinkEvent, in turn: inout Turn) {
        switch event {
        case .connected: connected(in: &turn)
        case .lost(let failure): lost(failure.description, in: &turn)
        case .message(let message): receive(message, in: &turn)
        }
    }

    private mutating func connected(in turn: inout Turn) {
        guard let broker = supervisor?.broker else { return }
        supervisor?.connected(at: turn.now.instant)
        health.connected(at: turn.now.instant)
        turn.log(.info, "connected to \(broker)")
        turn.connection.append(.subscribe(topics.commandFilters))
        publishAll(in: &turn)
    }

    private mutating func lost(_ reason: String, in turn: inout Turn) {
        guard let broker = supervisor?.broker else { return }
        health.disconnected()
        if supervisor?.lost(reason, at: turn.now.instant) == true {
            turn.log(.warning, "no connection to \(broker): \(reason)")
        }
    }

    /// Abandons an attempt that takes too long, and begins one that is due.
    mutating func superviseConnection(in turn: inout Turn) {
        let now = turn.now.instant
        if supervisor?.patienceIsOver(at: now) == true {
            turn.connection.append(.disconnect)
            lost("no CONNACK within \(Supervisor.patience.components.seconds) s", in: &turn)
        }
        guard supervisor?.attemptIsDue(at: now) == true, let request = linkRequest else { return }
        supervisor?.begin(at: now)
        turn.connection.append(.connect(request))
    }

    private var linkRequest: LinkRequest? {
        guard let mqtt = configuration.mqtt, let broker = supervisor?.broker else { return nil }
        return LinkRequest(
            broker: broker, version: mqtt.version, clientID: mqtt.clientID,
            keepAlive: Int(mqtt.keepAlive.components.seconds), credentials: mqtt.credentials,
            will: availability("offline"))
    }
}
