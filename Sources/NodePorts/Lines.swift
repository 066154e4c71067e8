package import BrokerLink
package import NodeConfiguration
package import TimerEngine

/// The lamps and the buzzer: output lines that are held together.
///
/// The loop passes a ``LinesFault`` to the core, and the node continues to keep time without its lamps.
package protocol Outputs: AnyObject {
    /// Requests all lines at once and sets them; held lines are released first.
    ///
    /// - Parameter levels: the initial level of each configured output, logical (before `active_low`).
    /// - Returns: the chip and the backend of the lines.
    @discardableResult
    func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs

    /// Sets outputs. The ones to switch off are set first, then the ones to switch on.
    ///
    /// - Parameter levels: the logical levels of the outputs to change; the other outputs keep their levels.
    func set(_ levels: [OutputName: Bool]) throws(LinesFault)

    /// Sets each output to its safe value and releases the lines. Does nothing if none are held.
    func release()
}

/// Output lines that are held.
package struct HeldOutputs: Hashable, Sendable {
    /// The chip's name, such as `gpiochip0`, or nil if there is none.
    package let chip: String?
    /// The driver of the lines: `libgpiod` or `simulated`.
    package let backend: String

    /// Describes held output lines.
    package init(chip: String?, backend: String) {
        self.chip = chip
        self.backend = backend
    }

    /// Lines without hardware.
    package static let simulated = HeldOutputs(chip: nil, backend: "simulated")
}

/// Why lines could not be requested or set, or were lost.
package struct LinesFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the fault and, if known, how to fix it.
    package let description: String

    /// Creates a fault from its description.
    package init(_ description: String) { self.description = description }
}

/// The buttons: input lines that are requested and released as a group.
package protocol Inputs: EventSource where Event == InputEvent {
    /// Requests all lines at once; held lines are released first.
    ///
    /// - Returns: the initial levels of the lines.
    func acquire() throws(LinesFault) -> HeldInputs
}

/// A button event.
package enum InputEvent: Hashable, Sendable {
    /// Levels changed. The value contains all edges up to the current moment.
    case edges([Edge])
    /// The lines were lost; none are held any longer.
    case failed(LinesFault)
}

/// Input lines that are held.
package struct HeldInputs: Hashable, Sendable {
    /// The lines that were active when they were requested, logical (after `active_low`).
    package let active: Set<InputName>
    /// Whether the kernel debounces the lines; if not, the core does.
    package let areDebounced: Bool

    /// Describes held input lines.
    package init(active: Set<InputName> = [], areDebounced: Bool) {
        self.active = active
        self.areDebounced = areDebounced
    }
}

/// A change of an input's level, with the kernel's time stamp.
package struct Edge: Hashable, Sendable {
    /// The line's name in the configuration.
    package let line: InputName
    /// The new level, logical: whether the button is pressed.
    package let isActive: Bool
    /// The kernel's time stamp, on the node's clock.
    package let instant: Instant

    /// Describes a change of level.
    package init(line: InputName, isActive: Bool, at instant: Instant) {
        self.line = line
        self.isActive = isActive
        self.instant = instant
    }
}

/// An implementation without buttons, for a node without input lines.
package final class NoInputs: Inputs {
    package init() {}

    package var interests: [Interest] { [] }
    package func takeEvents(ready: [Interest], at now: Instant) -> [InputEvent] { [] }
    package func acquire() throws(LinesFault) -> HeldInputs { HeldInputs(areDebounced: false) }
}
