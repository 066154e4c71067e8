internal import BrokerLink
internal import BrokerSession
internal import NodeConfiguration
internal import TimerEngine

/// Tries a broker with a real connection, as the node will make it, but for the client id.
enum BrokerTrial {
    /// How long a broker may take to answer.
    static let patience: Duration = .seconds(10)

    /// Connects and disconnects.
    ///
    /// - Throws: the reason why that failed, and what may help.
    static func run(_ mqtt: NodeConfiguration.MQTT) throws(WrongAnswer) {
        let session = ClientSession(mqtt, kinds: [])
        defer { session.leave() }
        if (try? session.connect(within: patience)) != nil { return }
        let reason = session.fault ?? "\(session.broker) does not answer within \(patience.components.seconds) s"
        let hint = hint(for: reason, from: session.broker, hasUsername: mqtt.credentials != nil)
        throw WrongAnswer(reason + (hint.map { "; \($0)" } ?? ""), isUnavailable: true)
    }

    /// What a person may do about a failure; nil where nothing is known.
    static func hint(for reason: String, from broker: Broker, hasUsername: Bool) -> String? {
        if reason.contains("refused the connection") {
            return hasUsername ? "are the user name and the password right?" : "it may want a user name and a password"
        }
        let isHere = broker.host == "localhost" || broker.host.hasPrefix("127.") || broker.host == "::1"
        if isHere, reason.contains(": cannot connect") {
            return "if no broker is installed here: sudo apt install mosquitto"
        }
        return reason.contains(": cannot resolve") ? "is the host's name right?" : nil
    }
}
