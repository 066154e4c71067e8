/// The connection to a broker, one attempt at a time.
///
/// The real one is ``MosquittoConnection``, the one for tests ``InMemoryConnection``. Nothing here blocks, but for a goodbye as long as
/// its patience lasts, and nothing is tried again: when a connection ends, for whatever reason, one ``ConnectionEvent/lost(_:)``
/// says so, and ``NodeCore`` decides what is next.
public protocol MQTTConnection: EventSource {
    /// Begins an attempt; whatever attempt or connection there was is dropped without a word.
    ///
    /// ``ConnectionEvent/connected`` or ``ConnectionEvent/lost(_:)`` comes later.
    func connect(_ request: ConnectOptions)

    /// Subscribes with QoS 1; in MQTT 5 with Retain Handling 2, so that what the broker keeps is not sent.
    func subscribe(_ subscriptions: [Subscription])

    /// Publishes, or drops the message where there is no connection, or no room for one without QoS.
    ///
    /// ``ConnectionEvent/dropped(_:)`` tells of it later. A message waits where the broker has much to acknowledge; of a retained
    /// one that waits, a newer value takes the place.
    func publish(_ publication: OutgoingMessage)

    /// Has what is published from now on leave together, in as few packets as possible, with ``flush()``.
    ///
    /// What is on its way already is not delayed by it at the broker, which takes one packet after another.
    func collect()

    /// Sends what was collected.
    func flush()

    /// Sends DISCONNECT where there is a connection, after what was published, and drops the connection or attempt.
    ///
    /// - Parameter patience: how long to wait for the last messages to leave.
    func disconnect(patience: Duration)
}

/// What a connection attempt needs to know.
public struct ConnectOptions: Hashable, Sendable {
    /// Where to connect.
    public let broker: Broker
    /// The protocol to speak.
    public let version: MQTTVersion
    /// The client identifier.
    public let clientID: String
    /// The keep-alive in seconds.
    public let keepAlive: Int
    /// The user name and password, where there are any.
    public let credentials: Credentials?
    /// The files of TLS; nil for none.
    public let tls: TLSFiles?
    /// What the broker publishes when the connection is lost.
    public let will: OutgoingMessage

    /// Describes an attempt.
    public init(
        broker: Broker, version: MQTTVersion, clientID: String, keepAlive: Int, credentials: Credentials?,
        tls: TLSFiles? = nil, will: OutgoingMessage
    ) {
        self.broker = broker
        self.version = version
        self.clientID = clientID
        self.keepAlive = keepAlive
        self.credentials = credentials
        self.tls = tls
        self.will = will
    }
}

/// What a link reports.
public enum ConnectionEvent: Hashable, Sendable {
    /// The broker accepted the connection.
    case connected
    /// The attempt or the connection ended.
    case lost(ConnectionError)
    /// The broker does not allow a subscription or a publication, in a few words for a log; the connection goes on.
    case denied(String)
    /// A message of so many bytes is larger than the packets that the broker takes, and was dropped, retained or not.
    case tooLarge(topic: String, bytes: Int, limit: Int)
    /// So many messages were dropped, or the connection ended before the broker had acknowledged them.
    ///
    /// Retained ones are not counted: the newest of each is published again on the next connection.
    case dropped(Int)
    /// A message arrived.
    case message(IncomingMessage)
}

/// Why a connection or an attempt ended.
public struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it was, in a few words for a log.
    public let description: String
    /// Whether it looks as if the broker speaks only an older MQTT than the one tried.
    public let hintsAtOlderProtocol: Bool
    /// Whether the broker closed a connection that it had accepted, giving no reason.
    public let isUnexplainedClose: Bool

    /// Names the reason.
    public init(_ description: String, hintsAtOlderProtocol: Bool = false, isUnexplainedClose: Bool = false) {
        self.description = description
        self.hintsAtOlderProtocol = hintsAtOlderProtocol
        self.isUnexplainedClose = isUnexplainedClose
    }
}
