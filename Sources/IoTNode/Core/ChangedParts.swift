/// The parts at the edge that another configuration makes others of.
public struct ChangedParts: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The outputs and the buttons.
    public static let lines = ChangedParts(rawValue: 1)
    /// Where the state is kept.
    public static let store = ChangedParts(rawValue: 2)
    /// What is logged.
    public static let log = ChangedParts(rawValue: 4)

    init(from old: NodeConfiguration, to new: NodeConfiguration) {
        self = []
        if new.gpio != old.gpio { insert(.lines) }
        if new.storage?.directory != old.storage?.directory { insert(.store) }
        if new.log != old.log { insert(.log) }
    }
}
