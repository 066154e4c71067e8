/// A table of text with its columns aligned, for a terminal and for `awk`.
struct TextTable: CustomStringConvertible {
    private var rows: [[String]]

    /// A table without rows under its titles.
    init(_ titles: String...) { rows = [titles] }

    /// Adds a row of as many cells as there are titles.
    mutating func add(_ cells: String...) { rows.append(cells) }

    /// The titles and the rows, a line each, without blanks at the ends.
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
