/// The lamps and the buzzer: output lines, held together. The real one is ``GPIOOutputs``, without hardware
/// ``SimulatedOutputs``.
///
/// What fails is returned as ``LinesFault``, never thrown past the loop: the node keeps the time without its lamps.
public protocol Outputs: EventSource {
    /// Takes the lines, all in one request, and sets them; what was held before is released first.
    ///
    /// - Parameter levels: the first level of each configured output, logical (before `active_low`).
    /// - Returns: where the lines are.
    @discardableResult
    func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs

    /// Sets outputs, first those that go off, then those that go on.
    ///
    /// - Parameter levels: the outputs to change, logical; the others keep their level.
    func set(_ levels: [OutputName: Bool]) throws(LinesFault)

    /// Sets each output to its safe value and gives the lines back. Does nothing where none are held.
    func release()
}

/// An output's name, such as `green`, `yellow`, `red` or `buzzer`.
public typealias OutputName = String

/// Output lines that are held.
public struct HeldOutputs: Hashable, Sendable {
    /// The chip's name, such as `gpiochip0`; nil where there is none.
    public let chip: String?
    /// What drives the lines: `libgpiod` or `simulated`.
    public let backend: String

    /// Describes lines.
    public init(chip: String?, backend: String) {
        self.chip = chip
        self.backend = backend
    }

    /// Lines without hardware.
    public static let simulated = HeldOutputs(chip: nil, backend: "simulated")
}
