package import BrokerLink
internal import FoundationEssentials
internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts
package import TimerEngine
internal import TimerProtocol

extension GPIOChip {
    /// Finds the configured chip.
    ///
    /// - Parameter lines: the lines that the chip must have, used if they determine the chip.
    static func find(
        _ chip: NodeConfiguration.GPIO.Chip, having lines: some Sequence<String>
    ) throws(LinesFault) -> GPIOChip {
        switch chip {
        case .named(let name): try find(named: name)
        case .auto: try findByLines(Set(lines))
        case .simulated: throw LinesFault("chip: simulated has no lines")
        }
    }

    /// Finds a chip by its path, name or label.
    static func find(named name: String) throws(LinesFault) -> GPIOChip {
        let path = name.contains("/") ? name : "/dev/" + name
        do {
            return try GPIOChip(path: path)
        } catch  where error.code != ENOENT {
            throw LinesFault(cannotOpen: path, error)
        } catch {
            let present = Present()
            let chips = present.chips.filter { $0.label == name }
            return try present.single(chips, label: "label \"\(name)\"") {
                "there is no GPIO chip with the path, name or label \"\(name)\""
            }
        }
    }

    /// Finds the chip that has all the lines, at least one of them by name.
    private static func findByLines(_ wanted: Set<String>) throws(LinesFault) -> GPIOChip {
        let present = Present()
        let chips = present.chips.filter { chip in
            let lines = wanted.map { try? chip.line(named: $0) }
            return !lines.contains(nil) && zip(wanted, lines).contains { $0 == $1?.name }
        }
        return try present.single(chips, label: "all the lines") {
            wanted.allSatisfy { UInt32($0) != nil }
                ? "chip: auto needs line names, but the outputs have only offsets: name the chip"
                : "no GPIO chip has all the lines \(wanted.sorted().joined(separator: ", "))\(present.hints(for: wanted))"
        }
    }
}

extension LinesFault {
    init(cannotOpen path: String, _ error: GPIOError) {
        switch error.code {
        case EACCES, EPERM:
            let help =
                File.group(of: path).map { "join the group \($0), which owns it (usermod -aG \($0) USER)" }
                ?? "only root may use it; a udev rule can give it to a group such as gpio"
            self.init("permission denied for \(path): \(help)")
        case ENOTTY, ENODEV:
            self.init("\(path) is not a GPIO chip")
        default:
            self.init("cannot open \(path): \(error)")
        }
    }
}

extension GPIOChip {
    /// The chips in `/dev` that could be opened, and the errors of the other chips.
    struct Present {
        private(set) var chips: [GPIOChip] = []
        private(set) var faults: [LinesFault] = []

        init() {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
            // Sorted by number: gpiochip2 comes before gpiochip10.
            for file in files.filter({ $0.hasPrefix("gpiochip") }).sorted(by: { ($0.count, $0) < ($1.count, $1) }) {
                do {
                    let chip = try GPIOChip(path: "/dev/" + file)
                    // A different name means a link to a chip that is listed under its own name (Raspberry Pi OS had
                    // gpiochip4).
                    if chip.name == file { chips.append(chip) }
                } catch {
                    faults.append(LinesFault(cannotOpen: "/dev/" + file, error))
                }
            }
        }
    }
}

extension GPIOChip.Present {
    /// Suggests a replacement for each line that no chip has.
    func hints(for lines: Set<String>) -> String {
        guard !chips.isEmpty else { return "" }
        let names = chips.flatMap(\.lineNames)
        let missing = lines.subtracting(names).filter { UInt32($0) == nil }.sorted()
        return missing.map { ": there is no \($0), \(GPIOChip.hint(for: $0, names: names))" }.joined()
    }

    /// Returns the only candidate; throws if there are several, or if there is none, with a list of the existing chips.
    func single(
        _ candidates: [GPIOChip], label: String, orElse missing: () -> String
    ) throws(LinesFault) -> GPIOChip {
        if candidates.count > 1 {
            let names = candidates.map(\.name).joined(separator: ", ")
            throw LinesFault("more than one GPIO chip has \(label): \(names); name the one to use")
        }
        if let chip = candidates.first { return chip }
        // A chip that could not be opened may be the right one.
        if let fault = faults.last { throw fault }
        let list = chips.isEmpty ? "none" : chips.map(\.description).joined(separator: ", ")
        throw LinesFault("\(missing()); present: \(list)")
    }
}

extension GPIOChip {
    /// The names of the lines in order; lines that cannot be read are omitted.
    var lineNames: [String] {
        (0..<lineCount).compactMap { try? line(at: $0).name }
    }

    /// Suggests a replacement for a missing line.
    ///
    /// - Parameters:
    ///   - line: the missing name or offset.
    ///   - names: the existing names.
    ///   - lineCount: the number of lines; nil if it depends on the chip.
    static func hint(for line: String, names: [String], lineCount: UInt32? = nil) -> String {
        if let lineCount, lineCount > 0, UInt32(line) != nil { return "the offsets are 0 to \(lineCount - 1)" }
        guard !names.isEmpty else { return "its lines have no names: use offsets" }
        // Accepts one wrong letter in three; a greater distance means an unrelated name.
        if let nearest = nearest(to: line, in: names),
            editDistance(line.lowercased(), nearest.lowercased()) <= max(1, line.count / 3)
        {
            return "the nearest name is \(nearest)"
        }
        let shown = names.prefix(12).joined(separator: ", ")
        return "the names are \(shown)\(names.count > 12 ? " … (timer-node lines shows all)" : "")"
    }
}

/// Reports when a GPIO chip appears or disappears, or its permissions change, by watching `/dev`.
///
/// Changes that this cannot see, as in a container, are detected at the next write or retry.
package final class ChipWatch: EventSource {
    // udev sets the group shortly after the device appears, which is IN_ATTRIB.
    private static let kinds = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ATTRIB

    private let watch: FolderWatch

    /// Watches a folder of devices.
    ///
    /// - Returns: nil if the system has no inotify watch left.
    package init?(folder: String = "/dev") {
        guard let watch = try? FolderWatch(folder, for: Int32(Self.kinds)) else { return nil }
        self.watch = watch
    }

    /// Readable when the folder has changed.
    package var interests: [Interest] { [Interest(descriptor: watch.number, events: .read)] }

    /// Returns one event per change, so a chip that disappeared and came back is released and requested again.
    package func takeEvents(ready: [Interest], at now: Instant) -> [Void] {
        guard !ready.isEmpty else { return [] }
        var news: [Void] = []
        while let changes = watch.changes(), !changes.isEmpty {
            // An empty name means that changes were lost.
            news += changes.filter { $0.name.isEmpty || $0.name.hasPrefix("gpiochip") }.map { _ in }
        }
        return news
    }
}
