package import TimerEngine

/// The buttons: input lines, held together. The real ones are ``GPIOInputs``, those for tests ``InMemoryInputs``.
///
/// What they report is ``NodeEvent/edges(_:)``, all there were up to the present, and ``NodeEvent/inputsFailed(_:)``
/// when the lines are lost; none is held after that.
package protocol Inputs: EventSource {
    /// Takes the lines, all in one request; what was held before is released first.
    ///
    /// - Returns: what is known of the lines to begin with.
    func acquire() throws(LinesFault) -> HeldInputs
}

/// An input's name: its line as the configuration has it, such as `GPIO23`.
package typealias InputName = String

/// Input lines that are held.
package struct HeldInputs: Hashable, Sendable {
    /// Those that were active when they were taken, logical (after `active_low`).
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
    package let instant: TimerEngine.Instant

    /// Describes a change.
    package init(line: InputName, isActive: Bool, at instant: TimerEngine.Instant) {
        self.line = line
        self.isActive = isActive
        self.instant = instant
    }
}

/// No buttons, for a node without input lines.
package final class NoInputs: Inputs {
    package init() {}

    package var interests: [Interest] { [] }
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] { [] }
    package func acquire() throws(LinesFault) -> HeldInputs { HeldInputs(areDebounced: false) }
}
