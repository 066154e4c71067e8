internal import TimerProtocol

/// An input's name: its line as the configuration has it, such as `GPIO23`.
package typealias InputName = String

extension NodeConfiguration {
    /// One entry of `gpio.buttons`.
    package struct Button: Hashable, Sendable {
        /// The name of the line, or its offset written as a number.
        package var line: InputName
        /// A button to ground needs `pullUp`, a button to the supply `pullDown`, and a button with a resistor of its own
        /// `disabled`.
        package var bias = Bias.asIs
        package var activeLow = false
        package var debounce: Duration = .milliseconds(20)
        package var doubleWithin: Duration = .milliseconds(300)
        package var holdFrom: Duration = .milliseconds(800)
        /// What each gesture does. The node does not wait for a gesture that does nothing.
        package var commands: [Gesture: BoundCommand] = [:]

        /// A button that does nothing yet.
        package init(line: InputName) { self.line = line }
    }
}

/// What is done with a button.
package enum Gesture: String, CaseIterable, Hashable, Sendable {
    /// Pressed once.
    case press
    /// Pressed twice, shortly after one another.
    case double
    /// Held down for a while.
    case hold
}

extension NodeConfiguration.Button {
    private static let keys = Keys(
        prototype: Self(line: ""),
        .required(
            "line", \.line, .text(.name, "a line's name, such as GPIO23, or its offset, such as 23"),
            "The line of the chip."),
        .optional(
            "bias", \.bias, .oneOf,
            "What pulls the line while the button is up: a resistor of the chip, or none of it."),
        .optional("active_low", \.activeLow, .bool, "Whether the button is pressed when it is low."),
        .optional(
            "debounce", \.debounce, .milliseconds(in: 0...1000),
            "How long the line has to be stable until a change counts; 0 for at once."),
        .optional("press", \.commands[.press], .command, absent: "nothing", "What a press does."),
        .optional(
            "double", \.commands[.double], .command, absent: "nothing, and a press need not wait for it",
            "What two presses do."),
        .optional(
            "hold", \.commands[.hold], .command, absent: "nothing, and a press need not wait for it",
            "What holding it down does."),
        .optional(
            "double_within", \.doubleWithin, .milliseconds(in: 50...10_000),
            "The time from one press to the next, less than which makes a double."),
        .optional(
            "hold_from", \.holdFrom, .milliseconds(in: 50...60_000), "How long a press is until it is a hold.")
    )

    /// One button, with the node of its line for the faults that concern several lines.
    static let schema: Schema<(button: Self, line: YAMLNode)> = .section(keys) { section in
        let button = section.readAll()
        if Gesture.allCases.allSatisfy({ !section.has(\.commands[$0]) }) {
            section.report(
                .unexpected(found: "nothing to do", expected: "a command for at least one of press, double and hold"),
                at: \.commands[.press])
        }
        if section.has(\.doubleWithin), !section.has(\.commands[.double]) {
            section.report(.other("not used: there is no double"), at: \.doubleWithin, severity: .warning)
        }
        if section.has(\.holdFrom), !section.has(\.commands[.hold]) {
            section.report(.other("not used: there is no hold"), at: \.holdFrom, severity: .warning)
        }
        guard !section.isFaulty(\.line), let line = section.node(\.line) else { return nil }
        return (button, line)
    }
}
