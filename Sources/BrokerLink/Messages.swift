package import TimerProtocol

/// A message to publish.
package struct OutgoingMessage: Hashable, Sendable {
    /// MQTT's quality of service.
    package enum QoS: Int32, Sendable {
        /// Delivered if all goes well.
        case atMostOnce = 0
        /// Delivered, perhaps twice.
        case atLeastOnce = 1
    }

    /// The topic name.
    package let topic: String
    /// What the payload says. ``payload`` is what it is encoded to.
    package let content: Content
    /// The quality of service.
    package let qos: QoS
    /// Whether the broker keeps it for later subscribers.
    package let retain: Bool
    /// MQTT 5's Correlation Data, in an answer to a request that had it.
    package let correlationData: [UInt8]?
    /// MQTT 5's Message Expiry Interval: how long the broker may hold it back, in whole seconds, rounded up; nil for ever.
    package let expiry: Duration?

    /// A message with any content.
    package init(
        topic: String, _ content: Content, qos: QoS = .atLeastOnce, retain: Bool = false,
        correlationData: [UInt8]? = nil, expiry: Duration? = nil
    ) {
        self.topic = topic
        self.content = content
        self.qos = qos
        self.retain = retain
        self.correlationData = correlationData
        self.expiry = expiry
    }

    /// A message of the node's protocol.
    package init(
        topic: String, _ message: PublishedMessage, qos: QoS = .atLeastOnce, retain: Bool = false,
        correlationData: [UInt8]? = nil
    ) {
        self.init(topic: topic, .message(message), qos: qos, retain: retain, correlationData: correlationData)
    }

    /// A message of bytes.
    package init(
        topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, retain: Bool = false,
        correlationData: [UInt8]? = nil, expiry: Duration? = nil
    ) {
        self.init(
            topic: topic, .bytes(payload), qos: qos, retain: retain, correlationData: correlationData, expiry: expiry)
    }

    /// A message of text.
    package init(topic: String, text: String, qos: QoS = .atLeastOnce, retain: Bool = false) {
        self.init(topic: topic, payload: Array(text.utf8), qos: qos, retain: retain)
    }

    /// The payload's bytes, encoded anew each time.
    package var payload: [UInt8] { content.payload }

    /// The same message with its payload encoded. Whoever sends it calls this just before, so that no message waits for
    /// another one to be encoded.
    package var encoded: OutgoingMessage {
        OutgoingMessage(
            topic: topic, .bytes(payload), qos: qos, retain: retain, correlationData: correlationData, expiry: expiry)
    }

    /// What a message says.
    package enum Content: Hashable, Sendable {
        /// A payload that is encoded already.
        case bytes([UInt8])
        /// A value of the node's protocol.
        case message(PublishedMessage)

        /// Replaces the value by its bytes, so that later uses do not encode it again.
        package mutating func encode() { self = .bytes(payload) }

        /// The payload's bytes, encoded anew each time.
        package var payload: [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .message(let message): message.bytes
            }
        }
    }
}

/// A message that arrived.
package struct IncomingMessage: Hashable, Sendable {
    /// The topic name.
    package let topic: String
    /// The payload's bytes.
    package let payload: [UInt8]
    /// Whether the message carries the retain flag.
    package let retained: Bool
    /// MQTT 5's Response Topic.
    package let responseTopic: String?
    /// MQTT 5's Correlation Data.
    package let correlationData: [UInt8]?
    /// MQTT 5's Subscription Identifiers: those of the subscriptions that the broker sent it for.
    package var subscriptions: [Int]

    /// A message as it came.
    package init(
        topic: String, payload: [UInt8], retained: Bool = false, responseTopic: String? = nil,
        correlationData: [UInt8]? = nil, subscriptions: [Int] = []
    ) {
        self.topic = topic
        self.payload = payload
        self.retained = retained
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        self.subscriptions = subscriptions
    }
}
