/// The connection to a broker, one attempt at a time.
///
/// The real one is ``MosquittoConnection``, the one for tests ``InMemoryConnection``. Nothing here blocks, but for a goodbye as long as
/// its patience lasts, and nothing is tried again: when a connection ends, for whatever reason, one ``ConnectionEvent/lost(_:)``
/// says so, and ``NodeCore`` decides what is next.
package protocol MQTTConnection: EventSource {
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
package struct ConnectOptions: Hashable, Sendable {
    /// Where to connect.
    package let broker: Broker
    /// The protocol to speak.
    package let version: MQTTVersion
    /// The client identifier.
    package let clientID: String
    /// The keep-alive in seconds.
    package let keepAlive: Int
    /// The user name and password, where there are any.
    package let credentials: Credentials?
    /// The files of TLS; nil for none.
    package let tls: TLSFiles?
    /// What the broker publishes when the connection is lost.
    package let will: OutgoingMessage

    /// Describes an attempt.
    package init(
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
package enum ConnectionEvent: Hashable, Sendable {
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
package struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it was, in a few words for a log.
    package let description: String
    /// Whether it looks as if the broker speaks only an older MQTT than the one tried.
    package let hintsAtOlderProtocol: Bool
    /// Whether the broker closed a connection that it had accepted, giving no reason.
    package let isUnexplainedClose: Bool

    /// Names the reason.
    package init(_ description: String, hintsAtOlderProtocol: Bool = false, isUnexplainedClose: Bool = false) {
        self.description = description
        self.hintsAtOlderProtocol = hintsAtOlderProtocol
        self.isUnexplainedClose = isUnexplainedClose
    }
}

/// A topic filter to subscribe to, with what MQTT 5 has to say of it; MQTT 3.1.1 has the filter alone.
package struct Subscription: Hashable, Sendable {
    /// The topic filter.
    package let filter: String
    /// Retain As Published: whether a message keeps the retain flag that it was published with.
    ///
    /// Without it, as in MQTT 3.1.1, the flag says that the broker kept the message for later subscribers.
    package let retainAsPublished: Bool
    /// The Subscription Identifier, 1 or more, which messages for this subscription carry; nil for none.
    package let identifier: Int?

    /// A subscription to a topic filter.
    package init(_ filter: String, retainAsPublished: Bool = false, identifier: Int? = nil) {
        self.filter = filter
        self.retainAsPublished = retainAsPublished
        self.identifier = identifier
    }
}
