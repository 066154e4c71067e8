internal import ArgumentParser
internal import GPIO
internal import IoTNode
internal import NodeConfiguration

/// `timer-node lamps-off`: switches the lamps off after a node that was killed.
struct LampsOff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put the lamps and the buzzer to their safe values, where no node runs.",
        discussion: """
            For ExecStopPost= of a systemd unit: on some boards a line keeps its level when the program that held it \
            is gone. Faults of the configuration outside of its section gpio do not keep the lamps lit.

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
