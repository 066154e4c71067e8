internal import IoTNode

extension NodeConfiguration.Button {
    /// The keys of a button.
    enum Keys {
        static let line = Key(
            "line", .text("a line's name, such as GPIO23, or its offset, such as 23"), "The line of the chip.")
        static let bias = Key(
            "bias", Schema<NodeConfiguration.Bias>.oneOf, default: "as_is",
            "What pulls the line while the button is up: a resistor of the chip, or none of it.")
        static let activeLow = Key(
            "active_low", .bool, default: "false", "Whether the button is pressed when it is low.")
        static let debounce = Key(
            "debounce", .milliseconds(in: 0...1000), default: "20ms",
            "How long the line has to be stable until a change counts; 0 for at once.")
        static let press = Key("press", .command, absent: "nothing", "What a press does.")
        static let double = Key(
            "double", .command, absent: "nothing, and a press need not wait for it", "What two presses do.")
        static let hold = Key(
            "hold", .command, absent: "nothing, and a press need not wait for it", "What holding it down does.")
        static let doubleWithin = Key(
            "double_within", .milliseconds(in: 50...10_000), default: "300ms",
            "The time from one press to the next, less than which makes a double.")
        static let holdFrom = Key(
            "hold_from", .milliseconds(in: 50...60_000), default: "800ms", "How long a press is until it is a hold.")

        static let all: [any DeclaredKey] = [
            line, bias, activeLow, debounce, press, double, hold, doubleWithin, holdFrom,
        ]
    }

    /// How a button is written; with it comes the item of its line, for the faults that concern several lines.
    static var schema: Schema<(button: Self, line: YAMLNode)> {
        .section(Keys.all) { section in
            let line = section.read(Keys.line)
            var button = Self(line: line ?? "")
            section.read(Keys.bias, into: &button.bias)
            section.read(Keys.activeLow, into: &button.activeLow)
            section.read(Keys.debounce, into: &button.debounce)
            section.read(Keys.doubleWithin, into: &button.doubleWithin)
            section.read(Keys.holdFrom, into: &button.holdFrom)
            readCommands(section, into: &button)
            guard line != nil, let node = section.node(Keys.line) else { return nil }
            return (button, node)
        }
    }

    private static func readCommands(_ section: Section, into button: inout Self) {
        let keys: [Gesture: Key<BoundCommand>] = [.press: Keys.press, .double: Keys.double, .hold: Keys.hold]
        for gesture in Gesture.allCases { button.commands[gesture] = keys[gesture].flatMap { section.read($0) } }
        if keys.values.allSatisfy({ section.node($0) == nil }) {
            section.report(
                .unexpected(found: "nothing to do", expected: "a command for at least one of press, double and hold"),
                at: Keys.press)
        }
        warn(of: Keys.doubleWithin, without: Keys.double, in: section)
        warn(of: Keys.holdFrom, without: Keys.hold, in: section)
    }

    private static func warn(of time: Key<Duration>, without gesture: Key<BoundCommand>, in section: Section) {
        guard section.node(time) != nil, section.node(gesture) == nil else { return }
        section.report(.other("not used: there is no \(gesture.name)"), at: time, severity: .warning)
    }
}
