internal import ArgumentParser
internal import CommandLineSupport
internal import GPIO
internal import LinuxSystem
internal import NodePorts

/// `timer-node lines`: lists the lines of the GPIO chips.
struct ListLines: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines",
        abstract: "List the GPIO chips of this machine and their lines.",
        discussion: """
            A line's name, or its number with the chip named beside it, is what the configuration takes. \
            A line without anybody in USED BY is free.

              timer-node lines
              timer-node lines --chip gpiochip0

            Exits with 69 when there is no such chip, or none that may be opened.
            """)

    @Option(help: "The path, the name or the label of the one chip to list.")
    var chip: String?

    func run() throws {
        let found = try orExit(.unavailable) { () throws(LinesFault) in try GPIOChipListing.find(chip: chip) }
        var table = TextTable("CHIP", "LABEL", "LINE", "NAME", "USED BY", "DIRECTION")
        for chip in found.chips {
            for line in chip.lines {
                table.add(
                    chip.name, chip.label, String(line.offset), line.name ?? "-",
                    line.isUsed ? line.consumer ?? "unknown" : "-", line.isOutput ? "output" : "input")
            }
        }
        print(table)
        var errors = StandardError()
        for fault in found.faults { print(fault, to: &errors) }
    }
}
