extension NodeConfiguration {
    /// One entry of `gpio.buttons`.
    public struct Button: Hashable, Sendable {
        /// The line: its name, or its offset written as a number.
        public var line: InputName
        /// What pulls the line while the button is up: `pullUp` for one that connects to ground, `pullDown` for one that
        /// connects to the supply, `disabled` for one with a resistor of its own.
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
