extension NodeConfiguration {
    /// `gpio`: the chip and its lines.
    package struct GPIO: Hashable, Sendable {
        package enum Chip: Hashable, Sendable {
            /// The chip that has the lines named by the outputs.
            case auto
            /// A path, a name or a label.
            case named(String)
            /// No hardware: lamps drawn in the terminal.
            case simulated
        }

        package var chip: Chip
        package var outputs: [OutputName: Output]
        /// The buttons, each on a line of its own; a simulated chip has none.
        package var buttons: [Button]

        /// Lines on a chip; by default a simulated stoplight.
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
        /// The name of the line, or its offset written as a number.
        package var line: String
        /// Whether the lamp is on when the line is low.
        package var activeLow: Bool
        /// Whether the lamp is on when the node is not running.
        package var safe: Bool
        /// What pulls the line while the output does not drive it.
        package var bias = Bias.asIs
        package var drive = Drive.pushPull

        package init(line: String, activeLow: Bool = false, safe: Bool = false) {
            self.line = line
            self.activeLow = activeLow
            self.safe = safe
        }
    }

    /// One entry of `gpio.buttons`.
    package struct Button: Hashable, Sendable {
        /// The name of the line, or its offset written as a number.
        package var line: InputName
        /// What pulls the line while the button is up. A button to ground needs `pullUp`, a button to the supply
        /// `pullDown`, and a button with a resistor of its own `disabled`.
        package var bias = Bias.asIs
        /// Whether the button is pressed when the line is low.
        package var activeLow = false
        /// How long the line has to be stable until a change counts; zero for at once.
        package var debounce: Duration = .milliseconds(20)
        /// Two presses that begin less than this apart are a double.
        package var doubleWithin: Duration = .milliseconds(300)
        /// A press that lasts this long is a hold.
        package var holdFrom: Duration = .milliseconds(800)
        /// What each gesture does. The node does not wait for a gesture that does nothing.
        package var commands: [Gesture: BoundCommand] = [:]

        /// A button that does nothing yet.
        package init(line: InputName) { self.line = line }
    }

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
        /// Low only. For high the output lets go, and a resistor pulls the line up.
        case openDrain = "open_drain"
        /// High only. For low the output lets go, and a resistor pulls the line down.
        case openSource = "open_source"
    }
}
