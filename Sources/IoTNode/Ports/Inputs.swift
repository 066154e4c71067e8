package import NodeConfiguration
package import TimerEngine

/// The buttons: input lines that are held together.
///
/// They report ``NodeEvent/edges(_:)``, with all edges up to the present, and ``NodeEvent/inputsFailed(_:)`` when the
/// lines are lost; then no line is held.
package protocol Inputs: EventSource {
    /// Requests all lines at once; held lines are released first.
    ///
    /// - Returns: the initial levels of the lines.
    func acquire() throws(LinesFault) -> HeldInputs
}

/// Input lines that are held.
package struct HeldInputs: Hashable, Sendable {
    /// Those that were active when they were requested, logical (after `active_low`).
    package let active: Set<InputName>
    /// Whether the kernel debounces them; where not, the core does.
    package let areDebounced: Bool

    /// Describes lines.
    package init(active: Set<InputName> = [], areDebounced: Bool) {
        self.active = active
        self.areDebounced = areDebounced
    }
}

/// A change of an input's level, when the kernel saw it.
package struct Edge: Hashable, Sendable {
    /// The line as the configuration names it.
    package let line: InputName
    /// The level from then on, logical: whether the button is pressed.
    package let isActive: Bool
    /// The kernel's time stamp, on the node's clock.
    package let instant: Instant

    /// Describes a change.
    package init(line: InputName, isActive: Bool, at instant: Instant) {
        self.line = line
        self.isActive = isActive
        self.instant = instant
    }
}

/// No buttons, for a node without input lines.
package final class NoInputs: Inputs {
    package init() {}

    package var interests: [Interest] { [] }
    package func takeEvents(ready: [Interest], at now: Instant) -> [NodeEvent] { [] }
    package func acquire() throws(LinesFault) -> HeldInputs { HeldInputs(areDebounced: false) }
}
