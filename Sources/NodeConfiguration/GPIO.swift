internal import TimerProtocol

extension NodeConfiguration {
    /// `gpio`: the chip and its lines.
    package struct GPIO: Hashable, Sendable {
        package enum Chip: Hashable, Sendable {
            /// The chip that has the lines named by the outputs.
            case auto
            /// A path, a name or a label.
            case named(String)
            /// No hardware: the lamps are drawn in the terminal.
            case simulated
        }

        package var chip: Chip
        package var outputs: [OutputName: Output]
        /// The buttons, each on a separate line; a simulated chip has none.
        package var buttons: [Button]

        /// Creates lines on a chip; by default a simulated stoplight.
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
    /// The section as written in the file: the outputs in order, and each line with its location in the file.
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
            The chip's path, name or label; `auto` to find it by the name of an output's line; `simulated` to draw the \
            lamps in the terminal.
            """),
        .optional(
            "outputs", \.outputs,
            .named(NodeConfiguration.Output.schema, "a mapping of outputs such as green: {line: GPIO17}"),
            absent: "a simulated stoplight",
            "The outputs, usually named `green`, `yellow`, `red` and `buzzer`."),
        .optional(
            "buttons", \.buttons,
            .list(of: NodeConfiguration.Button.schema, count: 0...32, "a list of at most 32 buttons"),
            absent: "none", "The buttons and their commands; see [buttons](wiring.md#buttons).")
    )

    /// Reads the section; without outputs, it is a simulated stoplight.
    package static let schema: Schema<Self> = .section(keys) { section in
        let draft = section.readAll()
        // An output with a fault also counts, so that signals may name it.
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
    /// Reports the faults that concern several keys.
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
            node.report(.other("found line \(line.excerpt), which \(other.user) already uses \(other.origin.phrase)"))
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

    /// The resistor that pulls a line while nothing drives it.
    package enum Bias: String, Hashable, Sendable, CaseIterable {
        /// The setting that the line already has.
        case asIs = "as_is"
        /// The chip's resistor to the supply voltage.
        case pullUp = "pull_up"
        /// The chip's resistor to ground.
        case pullDown = "pull_down"
        /// Neither of the chip's resistors.
        case disabled
    }

    /// How an output drives its line.
    package enum Drive: String, Hashable, Sendable, CaseIterable {
        /// High and low.
        case pushPull = "push_pull"
        /// Low only. For high, the output is not driven and a resistor pulls the line up.
        case openDrain = "open_drain"
        /// High only. For low, the output is not driven and a resistor pulls the line down.
        case openSource = "open_source"
    }
}

extension NodeConfiguration.Output {
    private static let keys = Keys(
        prototype: Self(line: ""),
        .required(
            "line", \.line, .text(.name, "a line's name, such as GPIO17, or its offset, such as 17"),
            "The line of the chip."),
        .optional("active_low", \.activeLow, .bool, "Whether the output is on when the line is low."),
        .optional("safe", \.safe, .onOff, "Whether the output is on while the node is not running."),
        .optional("bias", \.bias, .oneOf, "What pulls the line while the output does not drive it."),
        .optional(
            "drive", \.drive, .oneOf,
            "How the line is driven: both high and low, only low or only high.")
    )

    /// One output, with the location of its line for faults that concern several lines.
    static let schema: Schema<(output: Self, line: YAMLNode)> = .section(keys) { section in
        let output = section.readAll()
        guard !section.isFaulty(\.line), let line = section.node(\.line) else { return nil }
        return (output, line)
    }
}
