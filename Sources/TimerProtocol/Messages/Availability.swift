/// The payload of the `availability` topic: whether the node is connected to the broker.
public enum Availability: String, CaseIterable, MessagePayload {
    /// The topic that it is published on.
    public static let kind = TopicKind.availability

    /// The node is connected.
    case online
    /// The node has stopped, or the broker has lost it.
    case offline
}
