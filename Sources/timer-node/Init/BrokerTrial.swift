internal import IoTNode
internal import LinuxSystem
internal import Mosquitto
internal import TimerEngine

/// Tries a broker with a real connection, as the node will make it, but for the client id.
enum BrokerTrial {
    /// How long a broker may take to answer.
    static let patience: Duration = .seconds(10)

    /// Connects and disconnects.
    ///
    /// - Throws: the reason why that failed, and what may help.
    static func run(_ mqtt: NodeConfiguration.MQTT) throws(WrongAnswer) {
        guard let broker = mqtt.brokers.first else { return }
        if let error = fault(connecting: mqtt, to: broker, until: BootClock().now.instant + patience) {
            let hint = hint(for: error, from: broker, hasUsername: mqtt.credentials != nil)
            throw WrongAnswer(error.description + (hint.map { "; \($0)" } ?? ""), isUnavailable: true)
        }
    }

    /// What a person may do about a failure; nil where nothing is known.
    static func hint(for error: ConnectionError, from broker: Broker, hasUsername: Bool) -> String? {
        if error.description.contains("refused the connection") {
            return hasUsername ? "are the user name and the password right?" : "it may want a user name and a password"
        }
        let isHere = broker.host == "localhost" || broker.host.hasPrefix("127.") || broker.host == "::1"
        if isHere, error.description.hasPrefix("cannot connect") {
            return "if no broker is installed here: sudo apt install mosquitto"
        }
        return error.description.hasPrefix("cannot resolve") ? "is the host's name right?" : nil
    }

    private static func fault(
        connecting mqtt: NodeConfiguration.MQTT, to broker: Broker, until end: TimerEngine.Instant
    ) -> ConnectionError? {
        let error = fault(connecting: mqtt, to: broker, by: mqtt.version, until: end)
        // The node tries the older version too.
        guard let error, error.hintsAtOlderProtocol, mqtt.version == .v5 else { return error }
        return fault(connecting: mqtt, to: broker, by: .v311, until: end)
    }

    private static func fault(
        connecting mqtt: NodeConfiguration.MQTT, to broker: Broker, by version: MQTTVersion,
        until end: TimerEngine.Instant
    ) -> ConnectionError? {
        let clock = BootClock()
        let connection = MosquittoConnection()
        // Of its own, because a node that runs may have the one in the configuration. MQTT 3.1.1 promises 23 bytes.
        let clientID = "timer-node-init-\(Int.random(in: 100_000...999_999))"
        let will = OutgoingMessage(topic: "\(mqtt.prefix)/\(clientID)/availability", text: "offline")
        connection.connect(
            ConnectOptions(
                broker: broker, version: version, clientID: clientID, keepAlive: 15, credentials: mqtt.credentials,
                tls: broker.usesTLS ? mqtt.tls : nil, will: will))
        while clock.now.instant < end {
            let due = connection.nextInstant.map { min($0, end) } ?? end
            let ready = clock.wait(for: connection.interests, until: due)
            for case .connection(let event) in connection.takeEvents(ready: ready, at: clock.now.instant) {
                switch event {
                case .connected:
                    connection.disconnect(patience: .milliseconds(100))
                    return nil
                case .lost(let error): return error
                case .rejected, .tooLarge, .dropped, .message: break
                }
            }
        }
        return ConnectionError("\(broker) does not answer within \(patience.components.seconds) s")
    }
}
