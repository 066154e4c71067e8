internal import TimerEngine

/// A running order as a table: from a spreadsheet, or from a file with separated values.
///
/// The first line names the columns, in any order, in English or German. Cells are separated by tabs, semicolons or
/// commas, whichever the first line contains, and may be quoted as in RFC 4180.
package enum ProgrammeTable {
    /// A column of a table.
    enum Column: String, CaseIterable {
        case title, speaker, timer, length, start, until, warning, final, min, max, at, note, id

        /// The names of the column, in lower case.
        var names: [String] {
            switch self {
            case .title: ["title", "titel", "thema"]
            case .speaker: ["speaker", "redner", "rednerin", "redner/in", "sprecher", "sprecherin"]
            case .timer: ["timer"]
            case .length: ["length", "duration", "länge", "dauer"]
            case .start: ["start"]
            case .until: ["until", "bis", "ende"]
            case .warning: ["warning", "warnung", "gelb"]
            case .final: ["final", "schluss", "rot"]
            case .min: ["min", "minimum"]
            case .max: ["max", "maximum"]
            case .at: ["at", "time", "um", "uhrzeit", "zeit", "beginn"]
            case .note: ["note", "notiz", "bemerkung"]
            case .id: ["id"]
            }
        }
    }

    /// Reads a table.
    ///
    /// - Throws: A refusal that names the line and the column.
    package static func read(_ text: String) throws(Refusal) -> Programme {
        var rows = try Rows(text).rows
        guard !rows.isEmpty else { throw Refusal(.invalidPayload, "found no lines, expected the names of the columns") }
        let header = rows.removeFirst()
        let columns = try columns(of: header)
        var entries: [Programme.Entry] = []
        for row in rows {
            if let extra = row.cells.indices.first(where: { $0 >= columns.count && !row.cells[$0].isEmpty }) {
                throw refusal(
                    row, "\(extra + 1)", found: row.cells[extra].quoted, expected: "at most \(columns.count) columns")
            }
            entries.append(try entry(row, columns))
        }
        guard entries.count <= Programme.maximumEntries else {
            throw Refusal(
                .invalidPayload, "found \(entries.count) entries, expected at most \(Programme.maximumEntries)")
        }
        return Programme(entries: entries)
    }

    private static func columns(of header: Row) throws(Refusal) -> [Column] {
        var columns: [Column] = []
        for (index, name) in header.cells.enumerated() {
            let word = name.lowercased()
            guard let column = Column.allCases.first(where: { $0.names.contains(word) }) else {
                let known = Column.allCases.map(\.rawValue).joined(separator: ", ")
                throw refusal(header, "\(index + 1)", found: name.quoted, expected: "the name of a column: \(known)")
            }
            guard !columns.contains(column) else {
                throw refusal(header, "\(index + 1)", found: name.quoted, expected: "each column once")
            }
            columns.append(column)
        }
        guard columns.contains(.title) else {
            throw Refusal(.invalidPayload, "line \(header.line): found no column title")
        }
        return columns
    }

    private static func entry(_ row: Row, _ columns: [Column]) throws(Refusal) -> Programme.Entry {
        var entry = Programme.Entry()
        var length: Int?
        for (column, cell) in zip(columns, row.cells) where !cell.isEmpty {
            switch column {
            case .title: entry.title = cell
            case .speaker: entry.speaker = cell
            case .timer: entry.timer = cell
            case .length: length = try seconds(cell, row, column)
            case .start: entry.start = try seconds(cell, row, column)
            case .warning: entry.warning = try seconds(cell, row, column)
            case .final: entry.final = try seconds(cell, row, column)
            case .min: entry.minimum = try seconds(cell, row, column)
            case .max: entry.maximum = try seconds(cell, row, column)
            case .at: entry.at = try timeOfDay(cell, row, column)
            case .until: entry.until = try timeOfDay(cell, row, column)
            case .note: entry.note = cell
            case .id: entry.id = cell
            }
        }
        if let length {
            guard entry.start == nil else {
                throw refusal(row, "length", found: "a time", expected: "none beside start")
            }
            entry.take(length: length)
        }
        // The same checks as for a command.
        do throws(Refusal) {
            let json: JSON
            do throws(JSON.ParseError) { json = try JSON(parsing: entry.json()) } catch { return entry }
            guard case .object(let members) = json else { return entry }
            return try Programme.Entry.read(PayloadFields(members))
        } catch {
            throw Refusal(error.code, "line \(row.line): \(error.message)")
        }
    }

    private static func timeOfDay(_ cell: String, _ row: Row, _ column: Column) throws(Refusal) -> TimeOfDay {
        // Spreadsheets add seconds.
        if let time = TimeOfDay(cell) ?? (cell.hasSuffix(":00") ? TimeOfDay(cell.dropLast(3)) : nil) { return time }
        throw refusal(row, column.rawValue, found: cell.quoted, expected: Agenda.Meeting.expectedTime)
    }

    private static func seconds(_ cell: String, _ row: Row, _ column: Column) throws(Refusal) -> Int {
        // A number without a unit may be minutes or seconds.
        if WholeNumber.parse(cell) == nil, let seconds = DurationText.seconds(cell) { return seconds }
        throw refusal(row, column.rawValue, found: cell.quoted, expected: "a time such as 5:00, 5m or 90s")
    }

    private static func refusal(_ row: Row, _ column: String, found: String, expected: String) -> Refusal {
        Refusal(.invalidPayload, "line \(row.line), column \(column): found \(found), expected \(expected)")
    }
}

extension Programme.Entry {
    /// Takes a length of its own. Unless other times are given, the last fifth is the warning and the last tenth the
    /// final time, at most 60 s and 30 s.
    mutating func take(length: Int) {
        start = length
        guard warning == nil, final == nil else { return }
        let (warning, final) = (min(60, length / 5), min(30, length / 10))
        if warning > 0 { self.warning = warning }
        if final > 0, final < warning { self.final = final }
    }
}

// MARK: - Writing

extension ProgrammeTable {
    /// Returns a running order as a table with commas, which reads as the same running order.
    package static func text(_ programme: Programme) -> String {
        let columns: [Column] = [
            .id, .at, .title, .speaker, .timer, .start, .until, .warning, .final, .min, .max, .note,
        ]
        var lines = [columns.map(\.rawValue).joined(separator: ",")]
        for entry in programme.entries {
            let cells = columns.map { column -> String in
                switch column {
                case .id: entry.id ?? ""
                case .at: entry.at?.description ?? ""
                case .title: entry.title
                case .speaker: entry.speaker ?? ""
                case .timer: entry.timer ?? ""
                case .start: entry.start.map(time) ?? ""
                case .until: entry.until?.description ?? ""
                case .warning: entry.warning.map(time) ?? ""
                case .final: entry.final.map(time) ?? ""
                case .min: entry.minimum.map(time) ?? ""
                case .max: entry.maximum.map(time) ?? ""
                case .note: entry.note ?? ""
                case .length: ""
                }
            }
            lines.append(cells.map(quoted).joined(separator: ","))
        }
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    private static func time(_ seconds: Int) -> String {
        let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
        return "\(minutes):\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func quoted(_ cell: String) -> String {
        let special: [Unicode.Scalar] = [",", ";", "\t", "\""]
        let isPlain = !cell.unicodeScalars.contains { special.contains($0) } && PayloadContent.trimmed(cell) == cell
        if isPlain { return cell }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in cell.unicodeScalars { quoted += scalar == "\"" ? [scalar, scalar] : [scalar] }
        quoted.append("\"")
        return String(quoted)
    }
}

// MARK: - Cells

extension ProgrammeTable {
    /// A line with its cells, without the white space around them.
    fileprivate struct Row {
        /// The number of its first line, counted from 1.
        let line: Int
        var cells: [String] = []
    }

    /// The rows of a text that are not empty. It is read by Unicode scalars: a combining character after a separator
    /// does not hide it.
    fileprivate struct Rows {
        private(set) var rows: [Row] = []
        private var line = 1
        private var row = Row(line: 1)
        private var cell = String.UnicodeScalarView()
        /// The line on which a quotation began that has not been closed; nil outside quotation marks.
        private var quotedSince: Int?

        init(_ text: String) throws(Refusal) {
            var rest = text.unicodeScalars[...]
            if rest.first == "\u{FEFF}" { rest.removeFirst() }
            let first = rest.prefix { $0 != "\n" && $0 != "\r" }
            let separator: Unicode.Scalar = first.contains("\t") ? "\t" : first.contains(";") ? ";" : ","
            while let scalar = rest.popFirst() {
                let isQuoted = quotedSince != nil
                switch scalar {
                case "\r" where rest.first == "\n": break
                case "\"" where isQuoted && rest.first == "\"": cell.append(rest.removeFirst())
                case "\"" where isQuoted: quotedSince = nil
                case "\"" where cell.allSatisfy(\.properties.isWhitespace): (cell, quotedSince) = (.init(), line)
                case "\n", "\r":
                    line += 1
                    // No text of an entry has line breaks.
                    if isQuoted { cell.append(" ") } else { endRow() }
                case separator where !isQuoted: endCell()
                default: cell.append(scalar)
                }
            }
            if let quotedSince {
                throw Refusal(.invalidPayload, "line \(quotedSince): found a quotation mark that is not closed")
            }
            endRow()
        }

        private mutating func endCell() {
            row.cells.append(PayloadContent.trimmed(String(cell)))
            cell = .init()
        }

        private mutating func endRow() {
            endCell()
            if row.cells.contains(where: { !$0.isEmpty }) { rows.append(row) }
            row = Row(line: line)
        }
    }
}
