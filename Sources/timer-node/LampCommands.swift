internal import ArgumentParser
internal import BrokerLink
internal import CommandLineSupport
internal import ConfigurationFiles
internal import GPIO
internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine

/// `timer-node lamp-test`: shows whether each lamp is wired to the right line.
struct LampTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Switch on each output in turn for a second, while no node is running.",
        discussion: """
            Prints which output is on. Ctrl-C ends the test. Afterwards the outputs have their safe values, which are \
            off unless configured otherwise.

              sudo systemctl stop timer-node
              sudo timer-node lamp-test

            Exits with 69 if the chip is missing or a line is busy, with 78 if the configuration is invalid, with 74 \
            if it cannot be read, or with 70 if a necessary system call fails.
            """)

    @OptionGroup var file: ConfigurationOption

    func run() throws {
        let gpio = try NodeConfiguration.loadOrExit(file.config).configuration.gpio
        // From here on, a signal cannot end the process while a lamp is lit.
        let signals = try orExit(.internal) { () throws(SystemError) in try ProcessSignals() }
        let outputs = GPIOOutputs(gpio)
        defer { outputs.release() }
        try orExit(.unavailable) { () throws(LinesFault) in
            try outputs.acquire(gpio.outputs.mapValues { _ in false })
            for (name, output) in Self.order(gpio.outputs) {
                print("\(name): line \(output.line)")
                // Flushes even if standard output is not a terminal; nil means all streams.
                fflush(nil)
                try outputs.set([name: true])
                let isInterrupted = wait(.seconds(1), signals)
                try outputs.set([name: false])
                if isInterrupted { return }
            }
        }
    }

    /// Returns the outputs in order: first the usual ones, as a talk lights them, then the others by name.
    private static func order(
        _ outputs: [OutputName: NodeConfiguration.Output]
    ) -> [(key: OutputName, value: NodeConfiguration.Output)] {
        let usual = ["green", "yellow", "red", "buzzer"]
        return outputs.sorted { first, second in
            let places = [first, second].map { usual.firstIndex(of: $0.key) ?? usual.count }
            return (places[0], first.key) < (places[1], second.key)
        }
    }

    /// Waits, and returns whether a signal interrupted the wait.
    private func wait(_ duration: Duration, _ signals: ProcessSignals) -> Bool {
        let clock = BootClock()
        let end = clock.now.instant + duration
        while clock.now.instant < end {
            let ready = clock.wait(for: signals.interests, until: end)
            if !signals.takeEvents(ready: ready, at: clock.now.instant).isEmpty { return true }
        }
        return false
    }
}

/// `timer-node lamps-off`: switches the lamps off after a node has been killed.
struct LampsOff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Set the lamps and the buzzer to their safe values, while no node is running.",
        discussion: """
            For ExecStopPost= of a systemd unit: on some boards a line keeps its level after the program that held it \
            has ended. Only the gpio section of the configuration must be valid.

              sudo timer-node lamps-off --config /etc/timer-node/timer-node.yaml

            Exits with 69 if the chip is missing or a line is busy, with 78 if the gpio section is invalid, or with 74 if \
            the configuration cannot be read.
            """)

    @OptionGroup var file: ConfigurationOption

    func run() throws {
        let gpio = try NodeConfiguration.loadGPIOOrExit(file.config)
        guard gpio.chip != .simulated else { return }
        try orExit(.unavailable) { () throws(LinesFault) in try GPIOOutputs.makeSafe(gpio) }
    }
}

/// `timer-node lines`: lists the lines of the GPIO chips.
struct ListLines: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines",
        abstract: "List the GPIO chips on this machine and their lines.",
        discussion: """
            In the configuration, name a line by its name, or name the chip and give the line's number. A line with - \
            in USED BY is free.

              timer-node lines
              timer-node lines --chip gpiochip0

            Exits with 69 if there is no such chip, or no chip can be opened.
            """)

    @Option(help: "List only this chip, by its path, name or label.")
    var chip: String?

    func run() throws {
        let found = try orExit(.unavailable) { () throws(LinesFault) in try GPIOChipListing.find(chip: chip) }
        var table = TextTable("CHIP", "LABEL", "LINE", "NAME", "USED BY", "DIRECTION")
        for chip in found.chips {
            for line in chip.lines {
                table.add(
                    chip.name, chip.label, String(line.offset), line.name ?? "-",
                    line.isUsed ? line.consumer ?? "unknown" : "-", line.isOutput ? "output" : "input")
            }
        }
        print(table)
        var errors = StandardError()
        for fault in found.faults { print(fault, to: &errors) }
    }
}

/// A text table with aligned columns, readable by people and by `awk`.
struct TextTable: CustomStringConvertible {
    private var rows: [[String]]

    /// Creates a table without rows.
    init(_ titles: String...) { self.init(titles) }

    /// Creates a table without rows.
    init(_ titles: [String]) { rows = [titles] }

    /// Adds a row with one cell per title.
    mutating func add(_ cells: String...) { add(cells) }

    /// Adds a row with one cell per title.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The titles and rows, one per line, without trailing spaces.
    var description: String {
        let columns = rows.first?.indices ?? 0..<0
        let widths = columns.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.columns) }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
