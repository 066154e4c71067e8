extension NodeConfiguration {
    /// What pulls a line that nobody drives.
    public enum Bias: String, Hashable, Sendable, CaseIterable {
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
    public enum Drive: String, Hashable, Sendable, CaseIterable {
        /// High and low.
        case pushPull = "push_pull"
        /// Low only; for high it lets go, and a resistor pulls the line up.
        case openDrain = "open_drain"
        /// High only; for low it lets go, and a resistor pulls the line down.
        case openSource = "open_source"
    }
}
