/// What is known of a line without holding it.
public struct GPIOLine: Hashable, Sendable {
    /// Its place on the chip.
    public let offset: UInt32
    /// Its name; nil for a line without one.
    public let name: String?
    /// Whether somebody holds it: a program or the kernel.
    public let isUsed: Bool
    /// Who holds it, in their own words; nil where unknown.
    public let consumer: String?
    /// Whether it is an output at present.
    public let isOutput: Bool
}

extension GPIOLine: CustomStringConvertible {
    /// The name, or the offset where there is none.
    public var description: String { name ?? String(offset) }
}
