/// Shows what the node does to whoever stands beside it: the terminal of a simulated node, systemd's `STATUS=`.
public protocol StatusDisplay: AnyObject {
    /// Shows a status; called on each second and each change.
    func show(_ status: NodeStatus)

    /// Tells what the node as a whole came to.
    func announce(_ announcement: Announcement)
}

extension StatusDisplay {
    /// Most show the status alone.
    public func announce(_ announcement: Announcement) {}
}

/// What the node as a whole came to.
public enum Announcement: Hashable, Sendable {
    /// The outputs are held, or their fault is reported; the broker may still be missing.
    case ready
    /// The node is about to leave.
    case stopping
}
