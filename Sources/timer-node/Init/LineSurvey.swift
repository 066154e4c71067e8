internal import GPIO
internal import NodeConfiguration
internal import NodePorts

/// Checks the answers about lines against the machine's GPIO lines.
///
/// It lists the lines again for each answer, because a line that was busy may be free the next time.
struct LineSurvey {
    /// Lists one chip, or all of them with the errors of those that could not be opened.
    let find: (_ chip: String?) throws(LinesFault) -> (chips: [GPIOChipListing], faults: [LinesFault])

    /// The default for the chip: `auto` if a chip has the default lines, otherwise the name of the first chip, or
    /// simulated lamps if there is no chip.
    var offeredChip: String {
        guard let chips = try? find(nil).chips, let first = chips.first else { return Answers.simulatedChip }
        let offered = ["GPIO17", "GPIO27", "GPIO22"]
        return chips.contains { chip in offered.allSatisfy { chip.line($0) != nil } } ? "auto" : first.name
    }

    /// The chips with their free lines and their lines in use, to show when asking the user for lines.
    var summary: String {
        do throws(LinesFault) {
            let (chips, faults) = try find(nil)
            return (chips.map(\.summary) + faults.map { "\($0)\n" }).joined()
        } catch {
            return "\(error): the lamps can be drawn in the terminal for now\n"
        }
    }

    /// Checks a chip.
    ///
    /// - Throws: ``InvalidAnswer`` if there is no such chip.
    func checkChip(_ chip: String) throws(InvalidAnswer) {
        if chip != Answers.simulatedChip { _ = try chips(chip) }
    }

    /// Checks the line of an output.
    ///
    /// - Throws: ``InvalidAnswer`` if the line is busy or already the line of another output, or if not exactly one chip
    ///   has it and all lines before it.
    func checkLine(of output: OutputName, _ answers: Answers) throws(InvalidAnswer) {
        guard let line = answers.lines[output] else { return }
        if answers.chip == "auto", UInt32(line) != nil {
            throw unavailable("with --chip auto, give the line by name; to use offset \(line), name the chip")
        }
        let chips = try chips(answers.chip)
        let having = chips.filter { chip in answers.lines.values.allSatisfy { chip.line($0) != nil } }
        guard let chip = having.first, let found = chip.line(line) else {
            let names = chips.map { "\($0.name) \($0.label.debugDescription) (\($0.lines.count) lines)" }
            let others = answers.lines.count > 1 ? " together with the lines given before it" : ""
            throw unavailable("there is no line \(line)\(others) on \(names.joined(separator: ", "))")
        }
        guard having.count == 1 else {
            let names = having.map(\.name).joined(separator: ", ")
            throw unavailable("more than one chip has line \(line): \(names); name the one to use with --chip")
        }
        if let other = answers.lines.first(where: { $0.key != output && chip.line($0.value)?.offset == found.offset }) {
            throw InvalidAnswer("line \(line) is \(other.value), which is already used for \(other.key)")
        }
        guard !found.isUsed || found.isHeldByNode else {
            let holder = found.consumer.map { "held by \($0.debugDescription)" } ?? "held by an unnamed consumer"
            throw unavailable("line \(line) on \(chip.name) is busy: \(holder)")
        }
    }

    /// Returns the lines of the answers that a running node holds. They are fine for the configuration, but prevent a
    /// lamp test.
    func heldByNode(_ answers: Answers) -> [String] {
        guard answers.chip != Answers.simulatedChip, let chips = try? chips(answers.chip) else { return [] }
        return Answers.outputs.compactMap { answers.lines[$0] }.filter { line in
            chips.contains { $0.line(line)?.isHeldByNode == true }
        }
    }

    private func chips(_ chip: String) throws(InvalidAnswer) -> [GPIOChipListing] {
        do throws(LinesFault) { return try find(chip == "auto" ? nil : chip).chips } catch {
            throw unavailable("\(error)")
        }
    }

    private func unavailable(_ reason: String) -> InvalidAnswer { InvalidAnswer(reason, isUnavailable: true) }
}

extension GPIOChipListing {
    /// Returns the line with this name, or else with this offset.
    fileprivate func line(_ nameOrOffset: String) -> GPIOLine? {
        lines.first { $0.name == nameOrOffset } ?? lines.first { String($0.offset) == nameOrOffset }
    }

    /// The chip with its lines, as text in short rows.
    fileprivate var summary: String {
        let used = lines.filter(\.isUsed).map { "\($0) (\($0.consumer ?? "unknown"))" }
        let free = lines.filter { !$0.isUsed }.map(\.description)
        return "\(name) \(label.debugDescription), \(lines.count) lines\n"
            + Self.rows("free", free) + Self.rows("in use", used)
    }

    /// Returns a list with a title, in rows of at most 100 characters.
    private static func rows(_ title: String, _ items: [String]) -> String {
        guard !items.isEmpty else { return "" }
        var rows = ["  \(title):"]
        for (place, item) in items.enumerated() {
            let word = " " + item + (place < items.count - 1 ? "," : "")
            if rows[rows.count - 1].count + word.count > 100 { rows.append("   ") }
            rows[rows.count - 1] += word
        }
        return rows.map { $0 + "\n" }.joined()
    }
}
