/// The buttons: input lines, held together. The real ones are ``GPIOInputs``, those for tests ``InMemoryInputs``.
///
/// What they report is ``NodeEvent/edges(_:)``, all there were up to the present, and ``NodeEvent/inputsFailed(_:)``
/// when the lines are lost; none is held after that.
public protocol Inputs: EventSource {
    /// Takes the lines, all in one request; what was held before is released first.
    ///
    /// - Returns: what is known of the lines to begin with.
    func acquire() throws(LinesFault) -> HeldInputs
}

/// An input's name: its line as the configuration has it, such as `GPIO23`.
public typealias InputName = String

/// Input lines that are held.
public struct HeldInputs: Hashable, Sendable {
    /// Those that were active when they were taken, logical (after `active_low`).
    public let active: Set<InputName>
    /// Whether the kernel debounces them; where not, the core does.
    public let areDebounced: Bool

    /// Describes lines.
    public init(active: Set<InputName> = [], areDebounced: Bool) {
        self.active = active
        self.areDebounced = areDebounced
    }
}
