package import TimerProtocol

/// A message to publish.
package struct OutgoingMessage: Hashable, Sendable {
    /// MQTT's quality of service.
    package enum QoS: Int32, Sendable {
        /// Delivered at most once.
        case atMostOnce = 0
        /// Delivered at least once, perhaps twice.
        case atLeastOnce = 1
    }

    /// The topic name.
    package let topic: String
    /// The content, which ``payload`` encodes.
    package let content: Content
    /// The quality of service.
    package let qos: QoS
    /// Whether the broker keeps the message for later subscribers.
    package let retain: Bool
    /// MQTT 5's Correlation Data, copied from the request into its response.
    package let correlationData: [UInt8]?
    /// MQTT 5's Message Expiry Interval: how long the broker may keep the message before delivery, in whole seconds,
    /// rounded up; nil for ever.
    package let expiry: Duration?

    /// Creates a message with any content.
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

    /// Creates a message of the node's protocol.
    package init(
        topic: String, _ message: PublishedMessage, qos: QoS = .atLeastOnce, retain: Bool = false,
        correlationData: [UInt8]? = nil
    ) {
        self.init(topic: topic, .message(message), qos: qos, retain: retain, correlationData: correlationData)
    }

    /// Creates a message with a payload of bytes.
    package init(
        topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, retain: Bool = false,
        correlationData: [UInt8]? = nil, expiry: Duration? = nil
    ) {
        self.init(
            topic: topic, .bytes(payload), qos: qos, retain: retain, correlationData: correlationData, expiry: expiry)
    }

    /// Creates a message with a text payload.
    package init(topic: String, text: String, qos: QoS = .atLeastOnce, retain: Bool = false) {
        self.init(topic: topic, payload: Array(text.utf8), qos: qos, retain: retain)
    }

    /// The payload's bytes, encoded on each access.
    package var payload: [UInt8] { content.payload }

    /// The same message with its payload encoded. The sender uses this just before sending, so that no message waits
    /// while another one is encoded.
    package var encoded: OutgoingMessage {
        OutgoingMessage(
            topic: topic, .bytes(payload), qos: qos, retain: retain, correlationData: correlationData, expiry: expiry)
    }

    /// The content of a message.
    package enum Content: Hashable, Sendable {
        /// A payload that is already encoded.
        case bytes([UInt8])
        /// A value of the node's protocol.
        case message(PublishedMessage)

        /// Replaces the value by its bytes, so that it is not encoded again.
        package mutating func encode() { self = .bytes(payload) }

        /// The payload's bytes, encoded on each access.
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
    /// MQTT 5's Subscription Identifiers of the subscriptions for which the broker sent the message.
    package var subscriptions: [Int]

    /// Creates a message as it arrived.
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
