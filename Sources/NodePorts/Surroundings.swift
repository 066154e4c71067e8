package import BrokerLink
package import Calendar
package import NodeConfiguration
package import TimerEngine

/// Shows the node's status locally: on the terminal of a simulated node, or as systemd's `STATUS=`.
package protocol StatusDisplay: AnyObject {
    /// Shows a status. Called every second and on each change.
    func show(_ status: NodeStatus)

    /// Announces that the node is ready or is about to exit.
    func announce(_ announcement: Announcement)
}

extension StatusDisplay {
    /// Does nothing, because most displays show only the status.
    package func announce(_ announcement: Announcement) {}
}

/// A change that affects the node as a whole.
package enum Announcement: Hashable, Sendable {
    /// The outputs are held, or their fault has been reported. The broker may not be connected yet.
    case ready
    /// The node is about to exit.
    case stopping
}

/// The node's current status, for a one-line display.
package struct NodeStatus: Hashable, Sendable {
    /// The timer's mode.
    package let mode: Mode
    /// The seconds on the display.
    package let remaining: Int
    /// Whether each output is on.
    package let outputs: [OutputName: Bool]
    /// The selected timer's name.
    package let timer: String

    /// Creates a status from its values.
    package init(mode: Mode, remaining: Int, outputs: [OutputName: Bool], timer: String) {
        (self.mode, self.remaining, self.outputs, self.timer) = (mode, remaining, outputs, timer)
    }
}

/// Reads time zones without blocking the caller.
package protocol TimeZoneSource: EventSource where Event == TimeZones {
    /// Reads the machine's zone and the named ones, and reports them as an event.
    func read(_ names: [String])
}

/// A time zone source that knows only UTC.
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
