/// The payload of the `availability` topic: whether the node is connected to the broker.
public enum Availability: String, CaseIterable, MessagePayload {
    /// The node is connected.
    case online
    /// The node has stopped, or the broker has lost it.
    case offline
}
