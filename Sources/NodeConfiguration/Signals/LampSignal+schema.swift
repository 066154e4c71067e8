internal import TimerEngine
internal import TimerProtocol

extension SignalMode {
    /// The signals of a mode: outputs, each with its signal.
    static var schema: Schema<[OutputName: LampSignal]> {
        let expected = "a mapping of outputs, each \(LampSignal.expected)"
        return Schema(expected: expected, shape: .named([])) { node in
            guard let entries = node.entries(expected: expected) else { return nil }
            let outputs = node.context.outputs
            let signals: [(OutputName, LampSignal)] = entries.compactMap { entry in
                guard outputs.contains(entry.name) else {
                    entry.reportUnknown(known: outputs)
                    return nil
                }
                return LampSignal.schema.read(entry.node).map { (entry.name, $0) }
            }
            return Dictionary(signals) { first, _ in first }
        }
    }
}

extension LampSignal {
    /// What is expected, in words.
    fileprivate static let expected = "on, off, {blink: [on, off]} or the name of a pattern"

    private static let blinkKeys = Keys(
        prototype: [Duration](),
        .required(
            "blink", \.self, .list(of: .step, count: 2...2, "two times, on and off, such as [425ms, 425ms]"),
            "How long it is on, and off, over and over.")
    )

    fileprivate static let schema: Schema<Self> = {
        let blinking: Schema<Self> = .section(blinkKeys) { section in
            let steps = section.readAll()
            return section.isFaulty(\.self) ? nil : .blink(Pattern(steps))
        }
        return Schema(expected: expected, shape: .scalar) { node in
            switch node.tree.content {
            case .scalar("on", plain: _): return .on
            case .scalar("off", plain: _): return .off
            case .mapping: return blinking.read(node)
            case .scalar, .sequence: return node.pattern(expected: expected).map { .play($0.pattern) }
            }
        }
    }()
}

extension Pattern {
    static let maximumLength: Duration = .seconds(3600)

    static var schema: Schema<Pattern> {
        let list = Schema<[Duration]>.list(
            of: .step, count: 1...64, "a list of 1 to 64 times, on and off in turn, such as [80ms, 40ms, 80ms]")
        return Schema(expected: list.expected, shape: list.shape) { node in
            guard node.isNewPatternName, let pattern = list.read(node).map(Pattern.init) else { return nil }
            guard pattern.length <= maximumLength else {
                let found = "a pattern of \(DurationText.text(pattern.length))"
                node.report(.unexpected(found: found, expected: "one of at most 1h"))
                return nil
            }
            return pattern
        }
    }
}

extension Schema where Value == Duration {
    /// A step of a pattern.
    fileprivate static var step: Schema {
        scalar("a duration from 10ms to 1h, such as 425ms") { text in
            DurationText.duration(text).flatMap { (.milliseconds(10)...(.seconds(3600))).contains($0) ? $0 : nil }
        }
    }
}

extension Schema where Value == String {
    /// The name of a pattern.
    static var pattern: Schema {
        let expected = "the name of a pattern"
        return Schema(
            expected: expected, shape: .scalar, format: { $0 }, read: { $0.pattern(expected: expected)?.name })
    }

    /// The name of a pattern, or `none`.
    static var patternOrNone: Schema {
        let expected = "the name of a pattern, or none for silence"
        return Schema(expected: expected, shape: .scalar) { node in
            if let text = node.tree.text, text == TimerGroup.silent || node.context.takesAnyPattern { return text }
            return node.pattern(expected: expected)?.name
        }
    }
}

extension DecodingContext {
    /// The names of the patterns, and the nearest one to a text.
    func patternHint(_ text: String?) -> String {
        let names = patterns.keys.sorted()
        let hint = text.flatMap { nearest(to: $0, in: names) }.map { "; did you mean \($0.excerpt)?" } ?? ""
        return "(\(names.map(\.excerpt).joined(separator: ", ")))\(hint)"
    }
}

extension YAMLNode {
    /// The pattern that is named here; nil after a fault, which names the nearest one.
    fileprivate func pattern(expected: String) -> (name: String, pattern: Pattern)? {
        let known = context.patterns
        if let name = tree.text, let pattern = known[name] { return (name, pattern) }
        report(expected: "\(expected) \(context.patternHint(tree.text))")
        return nil
    }

    /// Whether the last key of the path may be the name of a new pattern; false after a fault.
    fileprivate var isNewPatternName: Bool {
        for word in [TimerGroup.silent, "on", "off"] where path.hasSuffix(".\(word)") {
            report(.other("found \"\(word)\", expected another name: this word has a meaning of its own"))
            return false
        }
        return true
    }
}
