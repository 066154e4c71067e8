extension NodeConfiguration {
    /// One entry of `gpio.buttons`.
    public struct Button: Hashable, Sendable {
        /// What pulls the line while the button is up.
        public enum Bias: String, Hashable, Sendable, CaseIterable {
            /// Whatever the system has set.
            case asIs = "as_is"
            /// The chip's resistor to the supply: the button connects to ground.
            case pullUp = "pull_up"
            /// The chip's resistor to ground: the button connects to the supply.
            case pullDown = "pull_down"
            /// Nothing of the chip: the button has a resistor of its own.
            case disabled
        }

        /// The line: its name, or its offset written as a number.
        public var line: InputName
        /// What pulls the line while the button is up.
        public var bias = Bias.asIs
        /// Whether the button is pressed when the line is low.
        public var activeLow = false
        /// How long the line has to be stable until a change counts; zero for at once.
        public var debounce: Duration = .milliseconds(20)
        /// The time from a push to the next, less than which makes a double.
        public var doubleWithin: Duration = .milliseconds(300)
        /// How long a push is until it is a hold.
        public var holdFrom: Duration = .milliseconds(800)
        /// What each gesture does; those that are missing are not waited for.
        var commands: [Gesture: BoundCommand] = [:]

        /// A button on a line that does nothing yet.
        public init(line: InputName) { self.line = line }
    }
}
