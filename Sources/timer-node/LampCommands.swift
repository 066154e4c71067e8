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
        abstract: "Switch each output on for a second by itself, where no node runs.",
        discussion: """
            Says which output is on. Ctrl-C ends it; the outputs have their safe values afterwards, which is dark for \
            those that are not configured otherwise.

              sudo systemctl stop timer-node
              sudo timer-node lamp-test

            Exits with 69 when the chip is missing or a line is busy, with 78 when the configuration has faults, with \
            74 when it cannot be read, with 70 when the system refuses what it needs.
            """)

    @OptionGroup var file: ConfigurationOption

    func run() throws {
        let gpio = try NodeConfiguration.loadOrExit(file.config).configuration.gpio
        // From here on, a signal does not end the process with a lamp lit.
        let signals = try orExit(.internal) { () throws(SystemError) in try ProcessSignals() }
        let outputs = GPIOOutputs(gpio)
        defer { outputs.release() }
        try orExit(.unavailable) { () throws(LinesFault) in
            try outputs.acquire(gpio.outputs.mapValues { _ in false })
            for (name, output) in Self.order(gpio.outputs) {
                print("\(name): line \(output.line)")
                // Flushes even if standard output is not a terminal; nil stands for all streams.
                fflush(nil)
                try outputs.set([name: true])
                let isInterrupted = wait(.seconds(1), signals)
                try outputs.set([name: false])
                if isInterrupted { return }
            }
        }
    }

    /// The usual outputs first, in the order in which a talk lights them.
    private static func order(
        _ outputs: [OutputName: NodeConfiguration.Output]
    ) -> [(key: OutputName, value: NodeConfiguration.Output)] {
        let usual = ["green", "yellow", "red", "buzzer"]
        return outputs.sorted { first, second in
            let places = [first, second].map { usual.firstIndex(of: $0.key) ?? usual.count }
            return (places[0], first.key) < (places[1], second.key)
        }
    }

    /// Waits; returns whether a signal interrupted it.
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

/// `timer-node lamps-off`: switches the lamps off after a node that was killed.
struct LampsOff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put the lamps and the buzzer to their safe values, where no node runs.",
        discussion: """
            For ExecStopPost= of a systemd unit: on some boards a line keeps its level when the program that held it \
            is gone. Faults of the configuration outside of its section gpio do not keep the lamps lit.

              sudo timer-node lamps-off --config /etc/timer-node/timer-node.yaml

            Exits with 69 when the chip is missing or a line is busy, with 78 when the section gpio has faults, with 74 \
            when the configuration cannot be read.
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
        abstract: "List the GPIO chips of this machine and their lines.",
        discussion: """
            A line's name, or its number with the chip named beside it, is what the configuration takes. \
            A line without anybody in USED BY is free.

              timer-node lines
              timer-node lines --chip gpiochip0

            Exits with 69 when there is no such chip, or none that may be opened.
            """)

    @Option(help: "The path, the name or the label of the one chip to list.")
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
    init(_ titles: String...) { rows = [titles] }

    /// Adds a row with one cell per title.
    mutating func add(_ cells: String...) { rows.append(cells) }

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
