internal import Glibc

extension GPIOChip {
    /// Finds the chip that a configuration means.
    ///
    /// - Parameter lines: what the chip has to have, where that is how it is found.
    static func find(
        _ chip: NodeConfiguration.GPIO.Chip, having lines: some Sequence<String>
    ) throws(LinesFault) -> GPIOChip {
        switch chip {
        case .named(let name): try find(named: name)
        case .auto: try find(having: Set(lines))
        case .simulated: throw LinesFault("chip: simulated has no lines")
        }
    }

    /// Finds a chip by its path, its name or its label.
    static func find(named name: String) throws(LinesFault) -> GPIOChip {
        let path = name.contains("/") ? name : "/dev/" + name
        do {
            return try GPIOChip(path: path)
        } catch  where error.code != ENOENT {
            throw LinesFault(cannotOpen: path, error)
        } catch {
            let present = Present()
            let chips = present.chips.filter { $0.label == name }
            return try present.only(chips, label: "label \"\(name)\"") {
                "there is no GPIO chip \"\(name)\", by path, name or label"
            }
        }
    }

    /// Finds the chip that has all the lines, at least one of them by its name.
    private static func find(having wanted: Set<String>) throws(LinesFault) -> GPIOChip {
        let present = Present()
        let chips = present.chips.filter { chip in
            let lines = wanted.map { try? chip.line(named: $0) }
            return !lines.contains(nil) && zip(wanted, lines).contains { $0 == $1?.name }
        }
        return try present.only(chips, label: "all the lines") {
            wanted.allSatisfy { UInt32($0) != nil }
                ? "chip: auto looks for line names, and the outputs have offsets only: name the chip"
                : "no GPIO chip has all the lines \(wanted.sorted().joined(separator: ", "))\(present.hints(for: wanted))"
        }
    }
}

extension LinesFault {
    init(cannotOpen path: String, _ error: GPIOError) {
        switch error.code {
        case EACCES, EPERM:
            let help =
                File.group(of: path).map { "join the group \($0), to which it belongs (usermod -aG \($0) USER)" }
                ?? "only root may use it; a udev rule can give it to a group such as gpio"
            self.init("permission denied for \(path): \(help)")
        case ENOTTY, ENODEV:
            self.init("\(path) is not a GPIO chip")
        default:
            self.init("cannot open \(path): \(error)")
        }
    }
}
