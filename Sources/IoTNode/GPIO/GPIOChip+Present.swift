internal import FoundationEssentials

extension GPIOChip {
    /// The chips in `/dev` that could be opened, and why others could not.
    struct Present {
        private(set) var chips: [GPIOChip] = []
        private(set) var faults: [LinesFault] = []

        init() {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
            // By number: gpiochip2 comes before gpiochip10.
            for file in files.filter({ $0.hasPrefix("gpiochip") }).sorted(by: { ($0.count, $0) < ($1.count, $1) }) {
                do {
                    let chip = try GPIOChip(path: "/dev/" + file)
                    // Another name is a link to a chip that is listed itself (Raspberry Pi OS had gpiochip4).
                    if chip.name == file { chips.append(chip) }
                } catch {
                    faults.append(LinesFault(cannotOpen: "/dev/" + file, error))
                }
            }
        }
    }
}

extension GPIOChip.Present {
    /// Says of each line that no chip has what to write instead.
    func hints(for lines: Set<String>) -> String {
        guard !chips.isEmpty else { return "" }
        let names = chips.flatMap(\.lineNames)
        let missing = lines.subtracting(names).filter { UInt32($0) == nil }.sorted()
        return missing.map { ": there is no \($0), \(GPIOChip.hint(for: $0, names: names))" }.joined()
    }

    /// Tells the one candidate; faults where there is none, naming the chips there are, or more than one.
    func only(
        _ candidates: [GPIOChip], label: String, orElse missing: () -> String
    ) throws(LinesFault) -> GPIOChip {
        if candidates.count > 1 {
            let names = candidates.map(\.name).joined(separator: ", ")
            throw LinesFault("more than one GPIO chip has \(label): \(names); name the one to use")
        }
        if let chip = candidates.first { return chip }
        // A chip that could not be opened may well be the one.
        if let fault = faults.last { throw fault }
        let list = chips.isEmpty ? "none" : chips.map(\.description).joined(separator: ", ")
        throw LinesFault("\(missing()); present: \(list)")
    }
}
