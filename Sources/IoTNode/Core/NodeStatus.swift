public import TimerEngine

/// A line's worth of what the node is doing.
public struct NodeStatus: Hashable, Sendable {
    /// What the timer does.
    public let mode: TimerEngine.Mode
    /// The seconds shown.
    public let remaining: Int
    /// Whether each output is on.
    public let outputs: [OutputName: Bool]
    /// The selected timer's name.
    public let timer: String
}
