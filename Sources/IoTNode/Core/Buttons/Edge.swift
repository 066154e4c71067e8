public import TimerEngine

/// A change of an input's level, when the kernel saw it.
public struct Edge: Hashable, Sendable {
    /// The line as the configuration names it.
    public let line: InputName
    /// The level from then on, logical: whether the button is pressed.
    public let isActive: Bool
    /// The kernel's time stamp, on the node's clock.
    public let instant: TimerEngine.Instant

    /// Describes a change.
    public init(line: InputName, isActive: Bool, at instant: TimerEngine.Instant) {
        self.line = line
        self.isActive = isActive
        self.instant = instant
    }
}
