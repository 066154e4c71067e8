package import BrokerLink
package import NodeConfiguration
package import TimerEngine

/// The lamps and the buzzer: output lines that are held together.
///
/// The loop returns a ``LinesFault`` to the core, and the node keeps the time without its lamps.
package protocol Outputs: AnyObject {
    /// Requests all lines at once and sets them; held lines are released first.
    ///
    /// - Parameter levels: the first level of each configured output, logical (before `active_low`).
    /// - Returns: where the lines are.
    @discardableResult
    func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs

    /// Sets outputs: first those that go off, then those that go on.
    ///
    /// - Parameter levels: the outputs to change, logical; the others keep their level.
    func set(_ levels: [OutputName: Bool]) throws(LinesFault)

    /// Sets each output to its safe value and gives the lines back. Does nothing where none are held.
    func release()
}

/// Output lines that are held.
package struct HeldOutputs: Hashable, Sendable {
    /// The chip's name, such as `gpiochip0`; nil where there is none.
    package let chip: String?
    /// What drives the lines: `libgpiod` or `simulated`.
    package let backend: String

    /// Describes lines.
    package init(chip: String?, backend: String) {
        self.chip = chip
        self.backend = backend
    }

    /// Lines without hardware.
    package static let simulated = HeldOutputs(chip: nil, backend: "simulated")
}

/// Why lines could not be requested or set, or were lost.
package struct LinesFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and, where known, what to do about it.
    package let description: String

    /// Names the fault.
    package init(_ description: String) { self.description = description }
}

/// The buttons: input lines that are held together.
package protocol Inputs: EventSource where Event == InputEvent {
    /// Requests all lines at once; held lines are released first.
    ///
    /// - Returns: the initial levels of the lines.
    func acquire() throws(LinesFault) -> HeldInputs
}

/// What buttons report.
package enum InputEvent: Hashable, Sendable {
    /// Levels changed; these are all the edges there were up to the present.
    case edges([Edge])
    /// The lines are lost; no line is held.
    case failed(LinesFault)
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
    package func takeEvents(ready: [Interest], at now: Instant) -> [InputEvent] { [] }
    package func acquire() throws(LinesFault) -> HeldInputs { HeldInputs(areDebounced: false) }
}
