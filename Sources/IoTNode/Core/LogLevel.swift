/// How important a log line is, the least first.
public enum LogLevel: String, Hashable, Sendable, CaseIterable {
    /// For whoever looks for a fault in the node.
    case debug
    /// What an operator may want to read back.
    case info
    /// What looks wrong but was coped with.
    case warning
    /// What an operator has to put right.
    case error
}
