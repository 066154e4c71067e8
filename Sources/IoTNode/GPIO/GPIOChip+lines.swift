internal import Glibc

extension GPIOChip {
    /// Finds the line of each output.
    ///
    /// - Throws: a line that the chip has not, or that two outputs share.
    func lines(of outputs: [OutputName: NodeConfiguration.Output]) throws(OutputsFault) -> [OutputName: GPIOLine] {
        var lines: [OutputName: GPIOLine] = [:]
        var owners: [UInt32: OutputName] = [:]
        for (output, settings) in outputs.sorted(by: { $0.key < $1.key }) {
            guard let line = try find(settings.line, for: output) else {
                let hint = Self.hint(for: settings.line, names: lineNames, lineCount: lineCount)
                throw OutputsFault("there is no line \(settings.line) (output \(output)) on \(self); \(hint)")
            }
            if let owner = owners.updateValue(output, forKey: line.offset) {
                throw OutputsFault(
                    "the outputs \(owner) and \(output) have the same line on \(name): \(line), offset \(line.offset)")
            }
            lines[output] = line
        }
        return lines
    }

    /// Tells why outputs could not have their lines.
    func fault(taking lines: [OutputName: GPIOLine], _ error: GPIOError) -> OutputsFault {
        let sorted = lines.sorted { $0.key < $1.key }
        // Asked again: what the lines were found with may be older than what they are held by.
        let busy = sorted.compactMap { output, line -> String? in
            guard error.code == EBUSY, let now = try? self.line(at: line.offset), now.isUsed else { return nil }
            let holder = now.consumer.map { "held by \"\($0)\"" } ?? "its holder gives no name"
            return "line \(line) (output \(output)) on \(name) is busy: \(holder)"
        }
        guard busy.isEmpty else { return OutputsFault(busy.joined(separator: "; ")) }
        // No other call of libgpiod 1 or the kernel says this.
        guard error.code != ENOTSUP else {
            return OutputsFault(
                "the outputs differ in bias or drive, which libgpiod 1 cannot have: give all the same, or use libgpiod 2"
            )
        }
        let all = sorted.map { "\($1) (output \($0))" }.joined(separator: ", ")
        return OutputsFault("cannot take the lines \(all) on \(name): \(error)")
    }

    private func find(_ line: String, for output: OutputName) throws(OutputsFault) -> GPIOLine? {
        do {
            return try self.line(named: line)
        } catch {
            throw OutputsFault("cannot look for line \(line) (output \(output)) on \(name): \(error)")
        }
    }
}
