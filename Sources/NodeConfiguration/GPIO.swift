internal import TimerProtocol

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
            (self.chip, self.outputs, self.buttons) = (chip, outputs, buttons)
        }

        /// The usual outputs, for a simulated chip.
        package static let stoplight: [OutputName: Output] = [
            "green": Output(line: "GREEN"), "yellow": Output(line: "YELLOW"), "red": Output(line: "RED"),
            "buzzer": Output(line: "BUZZER"),
        ]
    }
}

extension NodeConfiguration.GPIO {
    /// The section as it is written: the outputs in order, and each line with its node.
    fileprivate struct Draft {
        var chip = Chip.auto
        var outputs: [(name: String, value: (output: NodeConfiguration.Output, line: YAMLNode))] = []
        var buttons: [(button: NodeConfiguration.Button, line: YAMLNode)] = []

        var isSimulated: Bool { outputs.isEmpty || chip == .simulated }
    }

    private static let keys = Keys(
        prototype: Draft(),
        .optional(
            "chip", \.chip, .chip,
            """
            Where the lines are: a path, a name or a label; `auto` for the chip that has the lines of the \
            outputs, of which at least one is given by its name; `simulated` for none, with the lamps drawn in the terminal.
            """),
        .optional(
            "outputs", \.outputs,
            .named(NodeConfiguration.Output.schema, "a mapping of outputs such as green: {line: GPIO17}"),
            absent: "a simulated stoplight",
            "The lamps and the buzzer. The usual names are `green`, `yellow`, `red` and `buzzer`."),
        .optional(
            "buttons", \.buttons,
            .list(of: NodeConfiguration.Button.schema, count: 0...32, "a list of at most 32 buttons"),
            absent: "none", "The buttons, each with what it does; see [buttons](buttons.md).")
    )

    /// The section; without outputs it is a simulated stoplight.
    package static let schema: Schema<Self> = .section(keys) { section in
        let draft = section.readAll()
        // An output with a fault is known too, so that signals may name it.
        if let names = section.node(\.outputs)?.tree.keys, !names.isEmpty { section.context.outputs = names }
        section.check()
        guard !draft.outputs.isEmpty else { return Self() }
        return Self(
            chip: draft.chip,
            outputs: Dictionary(draft.outputs.map { ($0.name, $0.value.output) }) { first, _ in first },
            buttons: draft.isSimulated ? [] : draft.buttons.map(\.button))
    }
}

extension Section<NodeConfiguration.GPIO.Draft> {
    /// Reports what concerns several keys.
    fileprivate func check() {
        if !has(\.outputs), has(\.chip), draft.chip != .simulated {
            report(
                .other("not used: there are no outputs, so the lamps are drawn in the terminal"), at: \.chip,
                severity: .warning)
        }
        reportSharedLines()
        if draft.isSimulated, !draft.buttons.isEmpty {
            report(.other("not used: a simulated stoplight has no inputs"), at: \.buttons, severity: .warning)
        }
        let outputs = draft.outputs
        if draft.chip == .auto, !outputs.isEmpty, outputs.allSatisfy({ UInt32($0.value.output.line) != nil }) {
            report(
                .unexpected(
                    found: "auto with offsets only", expected: "a chip's path, name or label, or a line's name"),
                at: \.chip)
        }
    }

    private func reportSharedLines() {
        let uses =
            draft.outputs.map { (user: $0.name, line: $0.value.output.line, node: $0.value.line) }
            + draft.buttons.enumerated().map { ("button \($0 + 1)", $1.button.line, $1.line) }
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

extension Schema<NodeConfiguration.GPIO.Chip> {
    /// A path, a name or a label, or one of the words `auto` and `simulated`.
    fileprivate static var chip: Schema {
        scalar(
            TextKind.name.expected,
            format: { chip in
                switch chip {
                case .auto: "auto"
                case .simulated: "simulated"
                case .named(let name): name
                }
            },
            parse: { text in
                switch text {
                case "auto": .auto
                case "simulated": .simulated
                default: TextKind.name.fits(text) ? .named(text) : nil
                }
            })
    }
}
