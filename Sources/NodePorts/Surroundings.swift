package import BrokerLink
package import Calendar
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

    /// Says what a node does.
    package init(mode: Mode, remaining: Int, outputs: [OutputName: Bool], timer: String) {
        (self.mode, self.remaining, self.outputs, self.timer) = (mode, remaining, outputs, timer)
    }
}

/// Reads time zones, without holding up whoever asks.
package protocol TimeZoneSource: EventSource where Event == TimeZones {
    /// Reads the machine's zone and those of some names, and reports them.
    func read(_ names: [String])
}

/// A system with no zone but UTC.
package final class NoTimeZones: TimeZoneSource {
    private var pending: [TimeZones] = []

    package init() {}

    package var interests: [Interest] { [] }
    package var nextInstant: Instant? { pending.isEmpty ? nil : Instant(sinceEpoch: .zero) }

    package func read(_ names: [String]) {
        pending.append(TimeZones(machine: .utc, machineName: "UTC", named: ["UTC": .utc], asked: Set(names)))
    }

    package func takeEvents(ready: [Interest], at now: Instant) -> [TimeZones] {
        defer { pending = [] }
        return pending
    }
}
