extension GPIOChip {
    /// The names of its lines, in the order of the lines; those that cannot be asked are left out.
    var lineNames: [String] {
        (0..<lineCount).compactMap { try? line(at: $0).name }
    }

    /// What to write instead of a line that is not there.
    ///
    /// - Parameters:
    ///   - line: a name or an offset.
    ///   - names: the names that there are.
    ///   - lineCount: how many lines there are; nil where that depends on the chip.
    static func hint(for line: String, names: [String], lineCount: UInt32? = nil) -> String {
        if let lineCount, lineCount > 0, UInt32(line) != nil { return "the offsets are 0 to \(lineCount - 1)" }
        guard !names.isEmpty else { return "its lines have no names: take offsets" }
        // A slip of one letter in three: what is farther off is another name altogether.
        if let nearest = nearest(to: line, in: names),
            editDistance(line.lowercased(), nearest.lowercased()) <= max(1, line.count / 3)
        {
            return "the nearest name is \(nearest)"
        }
        let shown = names.prefix(12).joined(separator: ", ")
        return "the names are \(shown)\(names.count > 12 ? " … (timer-node lines shows all)" : "")"
    }
}
