/// A topic filter to subscribe to, with what MQTT 5 has to say of it; MQTT 3.1.1 has the filter alone.
public struct Subscription: Hashable, Sendable {
    /// The topic filter.
    public let filter: String
    /// Retain As Published: whether a message keeps the retain flag that it was published with.
    ///
    /// Without it, as in MQTT 3.1.1, the flag says that the broker kept the message for later subscribers.
    public let retainAsPublished: Bool
    /// The Subscription Identifier, 1 or more, which messages for this subscription carry; nil for none.
    public let identifier: Int?

    /// A subscription to a topic filter.
    public init(_ filter: String, retainAsPublished: Bool = false, identifier: Int? = nil) {
        self.filter = filter
        self.retainAsPublished = retainAsPublished
        self.identifier = identifier
    }
}
