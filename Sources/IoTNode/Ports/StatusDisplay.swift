package import NodeConfiguration
package import TimerEngine

/// Shows what the node does to whoever stands beside it: the terminal of a simulated node, systemd's `STATUS=`.
package protocol StatusDisplay: AnyObject {
    /// Shows a status; called on each second and each change.
    func show(_ status: NodeStatus)

    /// Announces that the node is ready, or about to leave.
    func announce(_ announcement: Announcement)
}

extension StatusDisplay {
    /// Most show the status alone.
    package func announce(_ announcement: Announcement) {}
}

/// What concerns the node as a whole.
package enum Announcement: Hashable, Sendable {
    /// The outputs are held, or their fault is reported; the broker may still be missing.
    case ready
    /// The node is about to leave.
    case stopping
}

/// What the node does at present, for one line.
package struct NodeStatus: Hashable, Sendable {
    /// What the timer does.
    package let mode: Mode
    /// The seconds shown.
    package let remaining: Int
    /// Whether each output is on.
    package let outputs: [OutputName: Bool]
    /// The selected timer's name.
    package let timer: String
}
