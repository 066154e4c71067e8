internal import Glibc
internal import NodePorts

/// What a line is used for.
enum GPIOLineUse: String {
    case output, button
}

extension GPIOChip {
    /// - Parameter wanted: the name or offset of each line, keyed by its user.
    /// - Throws: the chip lacks a line, or two users want the same one.
    func lines(_ wanted: [String: String], for use: GPIOLineUse) throws(LinesFault) -> [String: GPIOLine] {
        var lines: [String: GPIOLine] = [:]
        var owners: [UInt32: String] = [:]
        for (user, name) in wanted.sorted(by: { $0.key < $1.key }) {
            guard let line = try findLine(name, for: use, user) else {
                let hint = Self.hint(for: name, names: lineNames, lineCount: lineCount)
                throw LinesFault("there is no line \(name) (\(use) \(user)) on \(self); \(hint)")
            }
            if let owner = owners.updateValue(user, forKey: line.offset) {
                throw LinesFault(
                    """
                    the \(use)s \(owner) and \(user) have the same line on \(self.name): \(line), \
                    offset \(line.offset)
                    """)
            }
            lines[user] = line
        }
        return lines
    }

    /// Explains why lines could not be requested.
    func fault(taking lines: [String: GPIOLine], for use: GPIOLineUse, _ error: GPIOError) -> LinesFault {
        let sorted = lines.sorted { $0.key < $1.key }
        // The lines are read again, because their holders may have changed since they were found.
        let busy = sorted.compactMap { user, line -> String? in
            guard error.code == EBUSY, let now = try? self.line(at: line.offset), now.isUsed else { return nil }
            let holder = now.consumer.map { "held by \"\($0)\"" } ?? "its holder gives no name"
            return "line \(line) (\(use) \(user)) on \(name) is busy: \(holder)"
        }
        guard busy.isEmpty else { return LinesFault(busy.joined(separator: "; ")) }
        // No other call of libgpiod 1 or the kernel returns this.
        guard error.code != ENOTSUP else {
            return LinesFault(
                "the \(use)s differ in bias or drive, which libgpiod 1 cannot have: give all the same, or use libgpiod 2"
            )
        }
        let all = sorted.map { "\($1) (\(use) \($0))" }.joined(separator: ", ")
        return LinesFault("cannot take the lines \(all) on \(name): \(error)")
    }

    private func findLine(_ line: String, for use: GPIOLineUse, _ user: String) throws(LinesFault) -> GPIOLine? {
        do {
            return try self.line(named: line)
        } catch {
            throw LinesFault("cannot look for line \(line) (\(use) \(user)) on \(name): \(error)")
        }
    }
}
