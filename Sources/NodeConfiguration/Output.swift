internal import TimerProtocol

/// An output's name, such as `green`, `yellow`, `red` or `buzzer`.
package typealias OutputName = String

extension NodeConfiguration {
    /// One entry of `gpio.outputs`.
    package struct Output: Hashable, Sendable {
        /// The name of the line, or its offset written as a number.
        package var line: String
        package var activeLow: Bool
        package var safe: Bool
        package var bias = Bias.asIs
        package var drive = Drive.pushPull

        package init(line: String, activeLow: Bool = false, safe: Bool = false) {
            (self.line, self.activeLow, self.safe) = (line, activeLow, safe)
        }
    }

    /// What pulls a line while nothing drives it.
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

extension NodeConfiguration.Output {
    private static let keys = Keys(
        prototype: Self(line: ""),
        .required(
            "line", \.line, .text(.name, "a line's name, such as GPIO17, or its offset, such as 17"),
            "The line of the chip."),
        .optional("active_low", \.activeLow, .bool, "Whether low is on."),
        .optional("safe", \.safe, .onOff, "Whether the output is on when the node is not there."),
        .optional("bias", \.bias, .oneOf, "What pulls the line where the output lets go of it."),
        .optional(
            "drive", \.drive, .oneOf,
            """
            How the line is driven: both ways, low only, or high only. With libgpiod 1 all outputs have the same bias \
            and drive.
            """)
    )

    /// One output, with the node of its line for the faults that concern several lines.
    static let schema: Schema<(output: Self, line: YAMLNode)> = .section(keys) { section in
        let output = section.readAll()
        guard !section.isFaulty(\.line), let line = section.node(\.line) else { return nil }
        return (output, line)
    }
}
