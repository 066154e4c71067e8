internal import ArgumentParser
internal import GPIO
internal import IoTNode

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

/// A text table with aligned columns, readable by people and by `awk`.
struct TextTable: CustomStringConvertible {
    private var rows: [[String]]

    /// Creates a table without rows.
    init(_ titles: String...) { rows = [titles] }

    /// Adds a row with one cell per title.
    mutating func add(_ cells: String...) { rows.append(cells) }

    /// The titles and rows, one per line, without trailing spaces.
    var description: String {
        let columns = rows.first?.indices ?? 0..<0
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
