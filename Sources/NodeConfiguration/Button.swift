internal import TimerEngine
package import TimerProtocol

/// An input's name: its line as written in the configuration, such as `GPIO23`.
package typealias InputName = String

extension NodeConfiguration {
    /// One entry of `gpio.buttons`.
    package struct Button: Hashable, Sendable {
        /// The name of the line, or its offset written as a number.
        package var line: InputName
        /// A button to ground needs `pullUp`, a button to the supply voltage `pullDown`, and a button with its own
        /// resistor `disabled`.
        package var bias = Bias.asIs
        package var activeLow = false
        package var debounce: Duration = .milliseconds(20)
        package var doubleWithin: Duration = .milliseconds(300)
        package var holdFrom: Duration = .milliseconds(800)
        /// The command of each gesture. The node does not wait for a gesture without a command.
        package var commands: [Gesture: BoundCommand] = [:]

        /// Creates a button without commands.
        package init(line: InputName) { self.line = line }
    }
}

/// A way to press a button.
package enum Gesture: String, CaseIterable, Hashable, Sendable {
    /// A single press.
    case press
    /// Two presses in quick succession.
    case double
    /// Holding the button down for a while.
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
            "The chip's resistor that pulls the line while the button is released."),
        .optional("active_low", \.activeLow, .bool, "Whether the line is low while the button is pressed."),
        .optional(
            "debounce", \.debounce, .milliseconds(in: 0...1000),
            "How long the line must be stable for a change to count; 0 to react at once."),
        .optional("press", \.commands[.press], .command, absent: "nothing", "The command for a press."),
        .optional(
            "double", \.commands[.double], .command, absent: "nothing",
            "The command for a double press."),
        .optional(
            "hold", \.commands[.hold], .command, absent: "nothing",
            "The command for holding the button down."),
        .optional(
            "double_within", \.doubleWithin, .milliseconds(in: 50...10_000),
            "The time within which a second press counts as a double press."),
        .optional(
            "hold_from", \.holdFrom, .milliseconds(in: 50...60_000), "How long a press lasts before it is a hold.")
    )

    /// One button, with the location of its line for faults that concern several lines.
    static let schema: Schema<(button: Self, line: YAMLNode)> = .section(keys) { section in
        let button = section.readAll()
        if Gesture.allCases.allSatisfy({ !section.has(\.commands[$0]) }) {
            section.report(
                .unexpected(found: "nothing to do", expected: "a command for at least one of press, double and hold"),
                at: \.commands[.press])
        }
        if section.has(\.doubleWithin), !section.has(\.commands[.double]) {
            section.report(.other("ignored: there is no double command"), at: \.doubleWithin, severity: .warning)
        }
        if section.has(\.holdFrom), !section.has(\.commands[.hold]) {
            section.report(.other("ignored: there is no hold command"), at: \.holdFrom, severity: .warning)
        }
        guard !section.isFaulty(\.line), let line = section.node(\.line) else { return nil }
        return (button, line)
    }
}

/// The command of a button or a remote: a verb, and an argument if it takes one, as in `toggle`, `start 2/1` or
/// `add +60`.
package struct BoundCommand: Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    package let description: String
    package let command: Command

    /// Reads a command: the verb, then the string that would be the payload on its topic.
    package init(_ text: String) throws(Refusal) {
        let parts = text.split(separator: " ", maxSplits: 1)
        var parser = RequestParser()
        command = try parser.request(
            verb: parts.first.map(String.init) ?? "", scope: .node, payload: Array((parts.dropFirst().first ?? "").utf8)
        ).command
        description = text
    }
}

/// The check of the commands of buttons and remotes, which depends on the rest of the file.
extension NodeConfiguration {
    /// Reports commands that can never do anything, and warns of those that cannot until the timers are edited.
    ///
    /// - Parameter hasTimers: whether the file has timers, to which its commands apply.
    func checkCommands(_ context: DecodingContext, hasTimers: Bool) {
        for (bound, origin, key) in context.commands {
            if let problem = problem(with: bound.command, context) {
                context.report(problem, origin: origin, key: key)
            } else if hasTimers, let selector = bound.command.selector,
                (try? timers.model.path(selector: selector)) == nil
            {
                // An edit may add the timer later, so this is not a fault. A file without timers gets no warning
                // either, because all its timers have to come from edits.
                context.report(
                    .other("there is no timer \(selector.quoted) in this file"), severity: .warning, origin: origin,
                    key: key)
            }
        }
    }

    private func problem(with command: Command, _ context: DecodingContext) -> ConfigurationFault.Problem? {
        switch command {
        case .player(let command): command.problem
        case .signal(let command): problem(with: command, context)
        case .model(.reset), .model(.resetAccounts): nil
        case .model where timers.isReadOnly && follow == nil:
            .other("found \(command.verb.rawValue), but timers.read_only is true")
        case .model(let command): problem(with: command, context)
        default: nil
        }
    }

    private func problem(with command: SignalCommand, _ context: DecodingContext) -> ConfigurationFault.Problem? {
        guard case .beep(let pattern) = command else { return nil }
        let name = pattern ?? "beep"
        guard context.patterns[name] != nil else {
            let expected = "the name of a pattern \(context.patternHint(name))"
            return .unexpected(found: name.quoted, expected: expected)
        }
        return context.outputs.contains("buzzer") ? nil : .other("found beep without an output named buzzer")
    }

    private func problem(with command: ModelCommand, _ context: DecodingContext) -> ConfigurationFault.Problem? {
        guard case .timers(let document, _) = command else { return nil }
        do throws(Refusal) {
            _ = try ModelPayload(document, patterns: context.patterns.keys)
            return nil
        } catch {
            return .other(error.message)
        }
    }
}

extension PlayerCommand {
    /// The reason why the command can never do anything.
    fileprivate var problem: ConfigurationFault.Problem? {
        switch self {
        case .startOnce(let run, _, _):
            if run.duration == 0 { return .other("found a run of 0 s, which cannot start") }
            do throws(TimerEngine.ThresholdsError) {
                _ = try Thresholds(start: run.duration, warning: run.warning, final: run.final)
                return nil
            } catch {
                return .other(error.description)
            }
        case .set(let seconds) where seconds < 0, .sync(let seconds, _) where seconds < 0:
            return .unexpected(found: "\(seconds) s", expected: "0 or more")
        case .set(let seconds), .add(let seconds), .sync(let seconds, _):
            let longest = Thresholds.longest
            return seconds > longest ? .unexpected(found: "\(seconds) s", expected: "at most \(longest)") : nil
        default: return nil
        }
    }
}

extension Command {
    /// The string that names a timer.
    fileprivate var selector: String? {
        switch self {
        case .player(.start(let selector, _, _)), .model(.edit(let selector, _, _)): selector
        case .player(.select(let selector)): selector
        default: nil
        }
    }
}
