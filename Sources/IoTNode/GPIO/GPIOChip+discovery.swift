internal import FoundationEssentials
internal import Glibc

extension GPIOChip {
    /// Finds the chip that a configuration means.
    ///
    /// - Parameter lines: what the chip has to have, where that is how it is found.
    static func find(
        _ chip: NodeConfiguration.GPIO.Chip, having lines: some Sequence<String>
    ) throws(OutputsFault) -> GPIOChip {
        switch chip {
        case .named(let name): try find(named: name)
        case .auto: try find(having: Set(lines))
        case .simulated: throw OutputsFault("chip: simulated has no lines")
        }
    }

    /// Finds a chip by its path, its name or its label.
    private static func find(named name: String) throws(OutputsFault) -> GPIOChip {
        let path = name.contains("/") ? name : "/dev/" + name
        do {
            return try GPIOChip(path: path)
        } catch  where error.code != ENOENT {
            throw OutputsFault(cannotOpen: path, error)
        } catch {
            let present = Present()
            let chips = present.chips.filter { $0.label == name }
            return try present.only(chips, label: "label \"\(name)\"") {
                "there is no GPIO chip \"\(name)\", by path, name or label"
            }
        }
    }

    /// Finds the chip that has all the lines, at least one of them by its name.
    private static func find(having wanted: Set<String>) throws(OutputsFault) -> GPIOChip {
        let present = Present()
        let chips = present.chips.filter { chip in
            let lines = wanted.map { try? chip.line(named: $0) }
            return !lines.contains(nil) && zip(wanted, lines).contains { $0 == $1?.name }
        }
        return try present.only(chips, label: "all the lines") {
            wanted.allSatisfy { UInt32($0) != nil }
                ? "chip: auto looks for line names, and the outputs have offsets only: name the chip"
                : "no GPIO chip has all the lines \(wanted.sorted().joined(separator: ", "))"
        }
    }
}

/// The chips in `/dev` that could be opened, and why others could not.
private struct Present {
    private(set) var chips: [GPIOChip] = []
    private var fault: OutputsFault?

    init() {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        // By number: gpiochip2 comes before gpiochip10.
        for file in files.filter({ $0.hasPrefix("gpiochip") }).sorted(by: { ($0.count, $0) < ($1.count, $1) }) {
            do {
                let chip = try GPIOChip(path: "/dev/" + file)
                // Another name is a link to a chip that is listed itself (Raspberry Pi OS has gpiochip4).
                if chip.name == file { chips.append(chip) }
            } catch {
                fault = OutputsFault(cannotOpen: "/dev/" + file, error)
            }
        }
    }

    /// Tells the one candidate; faults where there is none, naming the chips there are, or more than one.
    func only(
        _ candidates: [GPIOChip], label: String, orElse missing: () -> String
    ) throws(OutputsFault) -> GPIOChip {
        if candidates.count > 1 {
            let names = candidates.map(\.name).joined(separator: ", ")
            throw OutputsFault("more than one GPIO chip has \(label): \(names); name the one to use")
        }
        if let chip = candidates.first { return chip }
        // A chip that could not be opened may well be the one.
        if let fault { throw fault }
        let list = chips.isEmpty ? "none" : chips.map(\.description).joined(separator: ", ")
        throw OutputsFault("\(missing()); present: \(list)")
    }
}

extension OutputsFault {
    fileprivate init(cannotOpen path: String, _ error: GPIOError) {
        switch error.code {
        case EACCES, EPERM:
            self.init("permission denied for \(path): join the group that owns the device, such as gpio")
        case ENOTTY, ENODEV:
            self.init("\(path) is not a GPIO chip")
        default:
            self.init("cannot open \(path): \(error)")
        }
    }
}
