internal import TimerEngine
internal import TimerProtocol

/// The check of the commands of buttons and remotes, which need the rest of the file.
extension NodeConfiguration {
    /// Reports the commands that can never do anything, and warns of those that cannot until the timers are edited.
    ///
    /// - Parameter hasTimers: whether the file has timers, and they are what its commands are for.
    func checkCommands(_ context: DecodingContext, hasTimers: Bool) {
        for (bound, node) in context.commands {
            if let problem = problem(with: bound.command, context) {
                node.report(problem)
            } else if hasTimers, let selector = bound.command.selector,
                (try? timers.model.path(selector: selector)) == nil
            {
                // An edit may add the timer, so this is no fault. In a file without timers it is no warning either,
                // because there edits have to add all timers.
                node.report(.other("there is no timer \(selector.quoted) in this file"), severity: .warning)
            }
        }
    }

    private func problem(with command: Command, _ context: DecodingContext) -> ConfigurationFault.Problem? {
        switch command {
        case .player(let command): command.problem
        case .signal(let command): problem(with: command, context)
        case .model(.reset): nil
        case .model where timers.isReadOnly && follow == nil:
            .other("found \(command.verb.rawValue), while timers.read_only is true")
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
    /// Why the command can never do anything.
    fileprivate var problem: ConfigurationFault.Problem? {
        switch self {
        case .startOnce(let run, _):
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
    /// The text that names a timer.
    fileprivate var selector: String? {
        switch self {
        case .player(.start(let selector, _)), .model(.edit(let selector, _, _)): selector
        case .player(.select(let selector)): selector
        default: nil
        }
    }
}
