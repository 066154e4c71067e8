package import NodePorts

/// A GPIO chip with the current state of its lines, for people who wire it.
package struct GPIOChipListing: Hashable, Sendable {
    /// The kernel's name, such as `gpiochip0`.
    package let name: String
    /// The driver's name for it, such as `pinctrl-bcm2711`.
    package let label: String
    /// All lines in the order of their offsets.
    package let lines: [GPIOLine]

    /// Lists the chips of this machine.
    ///
    /// - Parameter chip: the path, name or label of the chip to list; nil for all.
    /// - Returns: the chips, and the faults of those that could not be opened.
    /// - Throws: the named chip is missing or its label is ambiguous, or no chip can be opened.
    package static func find(
        chip: String? = nil
    ) throws(LinesFault) -> (chips: [GPIOChipListing], faults: [LinesFault]) {
        guard let chip else {
            let present = GPIOChip.Present()
            guard !present.chips.isEmpty else {
                throw present.faults.first ?? LinesFault("there is no GPIO chip: /dev has no gpiochip")
            }
            var listings: [GPIOChipListing] = []
            for chip in present.chips { listings.append(try GPIOChipListing(chip)) }
            return (listings, present.faults)
        }
        return (try [GPIOChipListing(GPIOChip.find(named: chip))], [])
    }
}

extension GPIOChipListing {
    private init(_ chip: GPIOChip) throws(LinesFault) {
        name = chip.name
        label = chip.label
        do throws(GPIOError) {
            var lines: [GPIOLine] = []
            for offset in 0..<chip.lineCount { lines.append(try chip.line(at: offset)) }
            self.lines = lines
        } catch {
            throw LinesFault("cannot list the lines of \(chip.name): \(error)")
        }
    }
}

/// The state of a line, which can be read without holding the line.
package struct GPIOLine: Hashable, Sendable {
    /// The line's number on the chip.
    package let offset: UInt32
    /// The name; nil if it has none.
    package let name: String?
    /// Whether a program or the kernel holds it.
    package let isUsed: Bool
    /// The name that the holder gave; nil if unknown.
    package let consumer: String?
    /// Whether it is currently an output.
    package let isOutput: Bool

    /// The holder's name that a node gives.
    static let node = "timer-node"
    /// Whether a node holds it.
    package var isHeldByNode: Bool { isUsed && consumer == Self.node }
}

extension GPIOLine: CustomStringConvertible {
    /// The name, or else the offset.
    package var description: String { name ?? String(offset) }
}
