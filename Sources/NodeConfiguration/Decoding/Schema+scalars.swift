internal import TimerEngine
internal import TimerProtocol

extension Schema {
    /// A scalar that `parse` accepts; `parse` returns nil for all other strings.
    static func scalar(
        _ expected: String, format: (@Sendable (Value) -> String)? = nil,
        parse: @escaping @Sendable (String) -> Value?
    ) -> Schema {
        Schema(expected: expected, shape: .scalar, format: format) { node in
            if let value = node.tree.text.flatMap(parse) { return value }
            node.report(expected: expected)
            return nil
        }
    }
}

extension Schema where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// One of the cases.
    static var oneOf: Schema {
        scalar(Value.allCases.map(\.rawValue).alternatives, format: { $0.rawValue }, parse: { Value(rawValue: $0) })
    }
}

extension Schema where Value == Bool {
    /// A truth value in any form of YAML 1.1.
    static var bool: Schema { bool("true", "false") }

    /// The same as ``bool``, for a value that is shown as on or off.
    static var onOff: Schema { bool("on", "off") }

    private static func bool(_ yes: String, _ no: String) -> Schema {
        scalar("true/false, yes/no or on/off", format: { $0 ? yes : no }) { text in
            switch text.lowercased() {
            case "true", "yes", "on": true
            case "false", "no", "off": false
            default: nil
            }
        }
    }
}

extension Schema where Value == Int {
    /// A whole number.
    static func integer(in range: ClosedRange<Int>) -> Schema {
        scalar("a whole number from \(range.lowerBound) to \(range.upperBound)", format: { String($0) }) { text in
            WholeNumber.parse(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A time of a timer in whole seconds. Its range depends on the other times, so it is not checked here.
    static var time: Schema {
        scalar(
            "whole seconds such as 90, 1:30 or 2m", format: { String($0) },
            parse: { DurationText.seconds($0) })
    }

    /// The budget of a group in whole seconds.
    static var budget: Schema {
        let range = TimerGroup.budgets
        let longest = DurationText.text(seconds: range.upperBound)
        return scalar("whole seconds from 1s to \(longest), such as 1:30:00 or 90m", format: { "\($0)s" }) {
            DurationText.seconds($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Schema where Value == Duration {
    /// A duration of whole seconds.
    ///
    /// - Parameters:
    ///   - range: the allowed seconds.
    ///   - zero: the meaning of 0 if it is allowed although it is outside `range`.
    static func seconds(in range: ClosedRange<Int>, zero: String? = nil) -> Schema {
        let bounds = [range.lowerBound, range.upperBound].map { DurationText.text(seconds: $0) }
        let orZero = zero.map { ", or 0 for \($0)" } ?? ""
        return scalar(
            "whole seconds from \(bounds[0]) to \(bounds[1]), such as 15s or 1:30\(orZero)",
            format: { $0 == .zero ? "0" : "\($0.components.seconds)s" }
        ) {
            guard let seconds = DurationText.seconds($0) else { return nil }
            return range.contains(seconds) || (seconds == 0 && zero != nil) ? .seconds(seconds) : nil
        }
    }

    /// A duration of whole milliseconds.
    static func milliseconds(in range: ClosedRange<Int>) -> Schema {
        let bounds = [range.lowerBound, range.upperBound].map { bound in
            bound.isMultiple(of: 1000) ? DurationText.text(seconds: bound / 1000) : "\(bound)ms"
        }
        return scalar(
            "a duration from \(bounds[0]) to \(bounds[1]), such as 250ms",
            format: { "\($0.count(of: .milliseconds(1)))ms" }
        ) { text in
            DurationText.duration(text).flatMap { duration in
                (Duration.milliseconds(range.lowerBound)...Duration.milliseconds(range.upperBound)).contains(duration)
                    ? duration : nil
            }
        }
    }
}

extension Schema where Value == Duration? {
    /// A duration of whole seconds; nil is written as 0.
    static func seconds(in range: ClosedRange<Int>, zero: String) -> Schema {
        let seconds = Schema<Duration>.seconds(in: range, zero: zero)
        return Schema(
            expected: seconds.expected, shape: .scalar, format: { seconds.format?($0 ?? .zero) ?? "" },
            read: { node in seconds.read(node).map { $0 > .zero ? $0 : nil } })
    }
}

extension Schema where Value == String {
    /// A string of this kind.
    ///
    /// - Parameter expected: the description of the form, in place of the kind's own.
    static func text(_ kind: TextKind, _ expected: String? = nil) -> Schema {
        scalar(expected ?? kind.expected, format: { $0 }, parse: { kind.fits($0) ? $0 : nil })
    }

    /// The name of a node, a group of nodes or an output; the first two are levels of topics.
    static var id: Schema {
        scalar(Identifier.expected) { Identifier.isValid($0) ? $0 : nil }
    }
}

extension Schema<BoundCommand> {
    /// The command of a button or a remote: a verb, and an argument if it takes one.
    static var command: Schema {
        let expected = "a command such as toggle or start 2/1"
        return Schema(expected: expected, shape: .scalar) { node in
            guard let text = node.tree.text else {
                node.report(expected: expected)
                return nil
            }
            do throws(Refusal) {
                let command = try BoundCommand(text)
                node.context.commands.append((command, node.tree.origin, node.path))
                return command
            } catch {
                guard error.code == .unknownCommand else {
                    node.report(.other(error.message))
                    return nil
                }
                let verb = text.split(separator: " ").first.map(String.init) ?? ""
                let hint = nearest(to: verb, in: Verb.allCases.map(\.rawValue)).map { "; did you mean \($0)?" } ?? ""
                node.report(expected: expected + hint)
                return nil
            }
        }
    }
}

extension Identifier {
    /// The identifier of a node without one: the first label of the host name in lower case, with `-` in place of other
    /// characters; `timer-node` if that is not a valid identifier.
    static func fromHostName(_ name: String) -> String {
        let label = name.lowercased().unicodeScalars.prefix { $0 != "." }
        let usable = label.map { isAllowed($0) ? $0 : "-" }.drop { !isAlphanumeric($0) }
        let id = String(String.UnicodeScalarView(usable.prefix(63)))
        return isValid(id) ? id : "timer-node"
    }
}
