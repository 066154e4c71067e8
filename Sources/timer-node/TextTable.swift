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
        let widths = columns.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.columns) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
