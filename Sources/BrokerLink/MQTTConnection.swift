internal import TimerProtocol

/// The connection to a broker, one attempt at a time.
///
/// No call blocks, except ``disconnect(timeout:)`` for up to its timeout. Nothing is retried here: when a connection
/// ends, for whatever reason, it reports one ``ConnectionEvent/lost(_:)``, and ``Link`` decides what happens next.
package protocol MQTTConnection: EventSource where Event == ConnectionEvent {
    /// Begins an attempt. An earlier attempt or connection is dropped without an event.
    ///
    /// ``ConnectionEvent/connected`` or ``ConnectionEvent/lost(_:)`` follows later.
    func connect(_ request: ConnectOptions)

    /// Subscribes with QoS 1.
    func subscribe(_ subscriptions: [Subscription])

    /// Publishes a message. It is dropped if there is no connection, or no room for a message without QoS.
    ///
    /// ``ConnectionEvent/dropped(_:)`` later reports dropped messages. While much is in flight, messages are queued; a
    /// newer value of a queued retained message replaces it.
    func publish(_ publication: OutgoingMessage)

    /// Holds back messages published from now on, until ``flush()`` sends it in as few packets as possible.
    ///
    /// The broker handles each packet as it arrives, so this does not delay messages sent earlier.
    func collect()

    /// Sends the messages that were held back.
    func flush()

    /// Sends DISCONNECT, if connected, after everything that was published, and drops the connection or attempt.
    ///
    /// A message that arrives during the wait counts as delivered on the broker's side, so it is reported afterwards.
    ///
    /// - Parameter timeout: how long to wait for the last messages to leave.
    func disconnect(timeout: Duration)
}

/// The options of a connection attempt.
package struct ConnectOptions: Hashable, Sendable {
    /// Where to connect.
    package let broker: Broker
    /// The protocol to speak.
    package let version: MQTTVersion
    /// The client identifier.
    package let clientID: String
    /// The keep-alive in seconds.
    package let keepAlive: Int
    /// The user name and password, if any.
    package let credentials: Credentials?
    /// The TLS files; nil for none.
    package let tls: TLSFiles?
    /// The message that the broker publishes when the connection is lost; nil for none.
    package let will: OutgoingMessage?

    /// Creates the options of an attempt.
    package init(
        broker: Broker, version: MQTTVersion, clientID: String, keepAlive: Int, credentials: Credentials?,
        tls: TLSFiles? = nil, will: OutgoingMessage?
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

/// An event of a connection.
package enum ConnectionEvent: Hashable, Sendable {
    /// The broker accepted the connection.
    case connected
    /// The attempt or the connection ended.
    case lost(ConnectionError)
    /// The broker accepted the subscription to a filter that it had rejected before on this connection.
    case accepted(filter: String)
    /// A subscription or a message was rejected; the connection stays open.
    case rejected(Rejection)
    /// A message of this many bytes exceeds the broker's maximum packet size and was dropped, whether retained or not.
    case tooLarge(topic: String, bytes: Int, limit: Int)
    /// A message that arrived with a payload of this many bytes, which is over the limit, was discarded.
    ///
    /// In MQTT 5 the broker drops such messages, so they are not reported.
    case leftOut(topic: String, bytes: Int, limit: Int)
    /// This many messages were dropped, or were not acknowledged before the connection ended.
    ///
    /// Retained ones are not counted: the newest of each is published again on the next connection.
    case dropped(Int)
    /// A message arrived.
    case message(IncomingMessage)
}

/// A packet that the broker or libmosquitto rejects.
package struct Rejection: Hashable, Sendable, CustomStringConvertible {
    /// The subject of the packet.
    package enum Subject: Hashable, Sendable {
        /// A subscription to a topic filter.
        case subscription(filter: String)
        /// A message on a topic.
        case publication(topic: String, isRetained: Bool)
    }

    /// The packet that was rejected.
    package let subject: Subject
    /// The broker's reason code (MQTT 5, 2.4); MQTT 3.1.1 has 0x80 for every reason. Nil if libmosquitto rejected it.
    package let code: Int?
    /// Why, in a few words for a log, with the packet and its code.
    package let reason: String

    /// Creates a rejection with its reason.
    package init(_ subject: Subject, code: Int?, reason: String) {
        self.subject = subject
        self.code = code
        self.reason = reason
    }

    /// Whether the broker's access list is the reason (0x87, Not authorized).
    package var isNotAuthorized: Bool { code == 0x87 }

    /// Whether the same message may be accepted later: 0x80 Unspecified error, 0x83 Implementation specific error, 0x97
    /// Quota exceeded.
    package var isTemporary: Bool { code.map { [0x80, 0x83, 0x97].contains($0) } ?? false }

    /// The topic or the filter.
    package var topic: String {
        switch subject {
        case .subscription(let filter): filter
        case .publication(let topic, _): topic
        }
    }

    /// Completes a sentence that begins with "the broker refuses".
    package var description: String {
        switch subject {
        case .subscription(let filter): "the subscription to \(filter): \(reason)"
        // The topic may come from a request, so it is shortened.
        case .publication(let topic, _): "the publication on \(topic.brief): \(reason)"
        }
    }
}

/// Why a connection or an attempt ended.
package struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in a few words for a log line that names the broker.
    package let description: String
    /// Whether the broker may support only an older version of MQTT than the one that was tried.
    package let hintsAtOlderProtocol: Bool
    /// Whether the broker closed a connection that it had accepted, without a reason.
    package let isUnexplainedClose: Bool

    /// Creates an error with its reason.
    package init(_ description: String, hintsAtOlderProtocol: Bool = false, isUnexplainedClose: Bool = false) {
        self.description = description
        self.hintsAtOlderProtocol = hintsAtOlderProtocol
        self.isUnexplainedClose = isUnexplainedClose
    }
}

/// A topic filter to subscribe to, with its options of MQTT 5; MQTT 3.1.1 uses only the filter.
package struct Subscription: Hashable, Sendable {
    /// The topic filter.
    package let filter: String
    /// Whether the broker sends the retained messages: Retain Handling 0 if so, 2 if not. In MQTT 3.1.1 it always does.
    package let sendsRetained: Bool
    /// No Local: whether the broker does not send this connection's own messages back to it.
    package let noLocal: Bool
    /// Retain As Published: whether a message keeps the retain flag that it was published with.
    ///
    /// Otherwise, as in MQTT 3.1.1, the flag means that the message was already retained before the subscription.
    package let retainAsPublished: Bool
    /// The Subscription Identifier, 1 or more, which messages for this subscription carry; nil for none.
    package let identifier: Int?

    /// A subscription to a topic filter.
    package init(
        _ filter: String, sendsRetained: Bool = false, noLocal: Bool = false, retainAsPublished: Bool = false,
        identifier: Int? = nil
    ) {
        self.filter = filter
        self.sendsRetained = sendsRetained
        self.noLocal = noLocal
        self.retainAsPublished = retainAsPublished
        self.identifier = identifier
    }
}
