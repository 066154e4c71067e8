internal import IoTNode
internal import TimerProtocol

extension NodeConfiguration.GPIO {
    /// The keys of `gpio`.
    enum Keys {
        static let chip = Key(
            "chip", .text, default: "auto",
            """
            Where the lines are: a path, a name or a label; `auto` for the chip that has the lines of the \
            outputs, of which at least one is given by its name; `simulated` for none, with the lamps drawn in the terminal.
            """)
        static let outputs = Key(
            "outputs", .named(NodeConfiguration.Output.schema, "a mapping of outputs such as green: {line: GPIO17}"),
            absent: "a simulated stoplight",
            "The lamps and the buzzer. The usual names are `green`, `yellow`, `red` and `buzzer`.")

        static let buttons = Key(
            "buttons", .list(of: NodeConfiguration.Button.schema, count: 0...32, "a list of at most 32 buttons"),
            absent: "none", "The buttons, each with what it does; see [buttons](buttons.md).")

        static let all: [any DeclaredKey] = [chip, outputs, buttons]
    }

    /// How `gpio` is written; without outputs it is a simulated stoplight.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            let chip = section.read(Keys.chip) ?? "auto"
            if section.node(Keys.outputs) == nil, section.node(Keys.chip) != nil, chip != "simulated" {
                section.report(
                    .other("not used: there are no outputs, so the lamps are drawn in the terminal"), at: Keys.chip,
                    severity: .warning)
            }
            if let names = section.node(Keys.outputs)?.tree.keys, !names.isEmpty { section.context.outputs = names }
            let outputs = section.read(Keys.outputs) ?? []
            let buttons = section.read(Keys.buttons) ?? []
            reportSharedLines(
                outputs.map { ($0.name, $0.value.output.line, $0.value.line) }
                    + buttons.enumerated().map { ("button \($0 + 1)", $1.button.line, $1.line) })
            let isSimulated = outputs.isEmpty || chip == "simulated"
            if isSimulated, !buttons.isEmpty {
                section.report(
                    .other("not used: a simulated stoplight has no inputs"), at: Keys.buttons, severity: .warning)
            }
            if chip == "auto", !outputs.isEmpty, outputs.allSatisfy({ UInt32($0.value.output.line) != nil }) {
                section.report(
                    .unexpected(
                        found: "auto with offsets only", expected: "a chip's path, name or label, or a line's name"),
                    at: Keys.chip)
            }
            guard !outputs.isEmpty else { return Self() }
            return Self(
                chip: Chip(text: chip),
                outputs: Dictionary(outputs.map { ($0.name, $0.value.output) }) { first, _ in first },
                buttons: isSimulated ? [] : buttons.map(\.button))
        }
    }

    private static func reportSharedLines(_ uses: [(user: String, line: String, node: YAMLNode)]) {
        var lines: [String: (user: String, origin: ConfigurationFault.Origin)] = [:]
        for (user, line, node) in uses {
            guard let other = lines[line] else {
                lines[line] = (user, node.tree.origin)
                continue
            }
            node.report(.other("found line \(line.excerpt), which \(other.user) has \(other.origin.phrase) already"))
        }
    }
}

extension NodeConfiguration.GPIO.Chip {
    /// The chip that a text means.
    init(text: String) {
        switch text {
        case "auto": self = .auto
        case "simulated": self = .simulated
        default: self = .named(text)
        }
    }
}

extension NodeConfiguration.Output {
    /// The keys of an output.
    enum Keys {
        static let line = Key(
            "line", .text("a line's name, such as GPIO17, or its offset, such as 17"), "The line of the chip.")
        static let activeLow = Key("active_low", .bool, default: "false", "Whether low is on.")
        static let safe = Key(
            "safe", .bool, default: "off", "Whether the output is on when the node is not there.")

        static let bias = Key(
            "bias", Schema<NodeConfiguration.Bias>.oneOf, default: "as_is",
            "What pulls the line where the output lets go of it.")
        static let drive = Key(
            "drive", Schema<NodeConfiguration.Drive>.oneOf, default: "push_pull",
            """
            How the line is driven: both ways, low only, or high only. With libgpiod 1 all outputs have the same bias \
            and drive.
            """)

        static let all: [any DeclaredKey] = [line, activeLow, safe, bias, drive]
    }

    /// How an output is written; with it comes the item of its line, for the faults that concern several outputs.
    static var schema: Schema<(output: Self, line: YAMLNode)> {
        .section(Keys.all) { section in
            let line = section.read(Keys.line)
            var output = Self(line: line ?? "")
            section.read(Keys.activeLow, into: &output.activeLow)
            section.read(Keys.safe, into: &output.safe)
            section.read(Keys.bias, into: &output.bias)
            section.read(Keys.drive, into: &output.drive)
            guard line != nil, let node = section.node(Keys.line) else { return nil }
            return (output, node)
        }
    }
}
