extension NodeConfiguration {
    /// `gpio`: the chip and its lines.
    package struct GPIO: Hashable, Sendable {
        /// Where the lines are.
        package enum Chip: Hashable, Sendable {
            /// The chip that has the lines named by the outputs.
            case auto
            /// A path, a name or a label.
            case named(String)
            /// No hardware: lamps drawn in the terminal.
            case simulated
        }

        /// Where the lines are.
        package var chip: Chip
        /// The outputs by their name.
        package var outputs: [OutputName: Output]
        /// The buttons, each on a line of its own; none on a simulated chip.
        package var buttons: [Button]

        /// Lines on a chip; without outputs, a simulated stoplight.
        package init(
            chip: Chip = .simulated, outputs: [OutputName: Output] = GPIO.stoplight, buttons: [Button] = []
        ) {
            self.chip = chip
            self.outputs = outputs
            self.buttons = buttons
        }

        /// The usual outputs, for a simulated chip.
        package static let stoplight: [OutputName: Output] = [
            "green": Output(line: "GREEN"), "yellow": Output(line: "YELLOW"), "red": Output(line: "RED"),
            "buzzer": Output(line: "BUZZER"),
        ]
    }

    /// One entry of `gpio.outputs`.
    package struct Output: Hashable, Sendable {
        /// The line: its name, or its offset written as a number.
        package var line: String
        /// Whether the lamp is on when the line is low.
        package var activeLow: Bool
        /// Whether the lamp is on when the node is not there.
        package var safe: Bool
        /// What pulls the line where the output lets go of it.
        package var bias = Bias.asIs
        /// How the line is driven.
        package var drive = Drive.pushPull

        /// An output on a line.
        package init(line: String, activeLow: Bool = false, safe: Bool = false) {
            self.line = line
            self.activeLow = activeLow
            self.safe = safe
        }
    }
}

extension NodeConfiguration {
    /// One entry of `gpio.buttons`.
    package struct Button: Hashable, Sendable {
        /// The line: its name, or its offset written as a number.
        package var line: InputName
        /// What pulls the line while the button is up: `pullUp` for one that connects to ground, `pullDown` for one that
        /// connects to the supply, `disabled` for one with a resistor of its own.
        package var bias = Bias.asIs
        /// Whether the button is pressed when the line is low.
        package var activeLow = false
        /// How long the line has to be stable until a change counts; zero for at once.
        package var debounce: Duration = .milliseconds(20)
        /// The time from a push to the next, less than which makes a double.
        package var doubleWithin: Duration = .milliseconds(300)
        /// How long a push is until it is a hold.
        package var holdFrom: Duration = .milliseconds(800)
        /// What each gesture does; those that are missing are not waited for.
        package var commands: [Gesture: BoundCommand] = [:]

        /// A button on a line that does nothing yet.
        package init(line: InputName) { self.line = line }
    }
}

extension NodeConfiguration {
    /// What pulls a line that nobody drives.
    package enum Bias: String, Hashable, Sendable, CaseIterable {
        /// Whatever the system has set.
        case asIs = "as_is"
        /// The chip's resistor to the supply.
        case pullUp = "pull_up"
        /// The chip's resistor to ground.
        case pullDown = "pull_down"
        /// Nothing of the chip.
        case disabled
    }

    /// How an output drives its line.
    package enum Drive: String, Hashable, Sendable, CaseIterable {
        /// High and low.
        case pushPull = "push_pull"
        /// Low only; for high it lets go, and a resistor pulls the line up.
        case openDrain = "open_drain"
        /// High only; for low it lets go, and a resistor pulls the line down.
        case openSource = "open_source"
    }
}
