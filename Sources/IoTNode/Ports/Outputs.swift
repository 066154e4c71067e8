package import NodeConfiguration

/// The lamps and the buzzer: output lines that are held together.
///
/// The loop returns a ``LinesFault`` to the core, and the node keeps the time without its lamps.
package protocol Outputs: EventSource {
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
