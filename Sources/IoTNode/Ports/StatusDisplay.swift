/// Shows what the node does to whoever stands beside it: the terminal of a simulated node, systemd's `STATUS=`.
public protocol StatusDisplay: AnyObject {
    /// Shows a status; called on each second and each change.
    func show(_ status: NodeStatus)
}
