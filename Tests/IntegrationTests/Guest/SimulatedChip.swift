import FoundationEssentials

/// The guest's GPIO chip, seen from the other end of its wires, as a lamp or a button sees it.
struct SimulatedChip: Sendable {
    /// The names of the first lines, in order; there are 16 lines.
    static let lineNames = ["GREEN", "YELLOW", "RED", "BUZZER", "BUTTON"]
    /// The chip's label.
    static let label = "stoplight"

    private static let settings = "/sys/kernel/config/gpio-sim/stoplight"

    /// The chip of the guest that this process runs in; nil outside.
    static let current = ProcessInfo.processInfo.environment["GPIO_SIM_DIR"].map { _ in SimulatedChip() }

    /// The chip's name in `/dev`, which may change after ``setPresent(_:)``.
    var name: String {
        get throws { try Self.read(Self.settings + "/bank/chip_name") }
    }

    /// Plugs the chip in or unplugs it, like a USB expander.
    func setPresent(_ isPresent: Bool) throws {
        try Self.write(isPresent ? "1" : "0", to: Self.settings + "/live")
    }

    /// The direction in which a line is pulled: its level while no process drives it.
    enum Pull: String {
        case up = "pull-up"
        case down = "pull-down"
    }

    /// Returns a line's physical level.
    func value(of line: String) throws -> Bool {
        try Self.read(file("value", of: line)) == "1"
    }

    /// Returns the named lines that are high.
    func highLines() throws -> Set<String> {
        let folder = try folder
        return try Set(
            Self.lineNames.enumerated().filter { try Self.read("\(folder)/sim_gpio\($0.offset)/value") == "1" }
                .map(\.element))
    }

    /// The levels of all lines, one bit each.
    func levels() throws -> Int {
        let folder = try folder
        return try (0..<16).reduce(0) { $0 | (try Self.read("\(folder)/sim_gpio\($1)/value") == "1" ? 1 << $1 : 0) }
    }

    /// Pulls a line: presses or releases a button, or makes visible which lines no process drives.
    func setPull(_ pull: Pull, of line: String) throws {
        try Self.write(pull.rawValue, to: file("pull", of: line))
    }

    /// A command line for another program, `gpioset`, that requests a line and drives it high until it exits.
    func holding(line offset: Int) throws -> String {
        // gpioset from libgpiod 1 holds lines only with --mode=signal; libgpiod 2 always holds them, and has no --mode.
        "gpioset --version | grep -q v1 && exec gpioset --mode=signal NAME LINE=1; exec gpioset -c NAME LINE=1"
            .replacing("NAME", with: try name).replacing("LINE", with: "\(offset)")
    }

    /// Returns the sysfs path of a line's attribute.
    func file(_ attribute: String, of line: String) throws -> String {
        guard let offset = Self.lineNames.firstIndex(of: line) ?? Int(line) else { throw NoLine(name: line) }
        return try "\(folder)/sim_gpio\(offset)/\(attribute)"
    }

    /// The chip's folder in sysfs.
    private var folder: String {
        get throws { try "/sys/devices/platform/\(Self.read(Self.settings + "/dev_name"))/\(name)" }
    }

    private static func read(_ file: String) throws -> String {
        try String(contentsOfFile: file, encoding: .utf8).replacing("\n", with: "")
    }

    private static func write(_ text: String, to file: String) throws {
        // Not atomically, since that would create a new file.
        try Data(text.utf8).write(to: URL(filePath: file), options: [])
    }

    private struct NoLine: Error { let name: String }
}
