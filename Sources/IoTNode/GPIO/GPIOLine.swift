/// What is known of a line without holding it.
struct GPIOLine: Hashable, Sendable {
    /// Its place on the chip.
    let offset: UInt32
    /// Its name; nil for a line without one.
    let name: String?
    /// Whether somebody holds it: a program or the kernel.
    let isUsed: Bool
    /// Who holds it, in their own words; nil where unknown.
    let consumer: String?
    /// Whether it is an output at present.
    let isOutput: Bool
}

extension GPIOLine: CustomStringConvertible {
    /// The name, or the offset where there is none.
    var description: String { name ?? String(offset) }
}
