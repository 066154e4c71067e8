internal import TimerEngine

extension SignalMode {
    /// How a mode's signals are written.
    static var form: Form<[OutputName: Signal]> {
        let expected = "a mapping of outputs, each \(Signal.expected)"
        return Form(expected: expected, shape: .named([])) { item in
            guard let entries = item.entries(expected: expected) else { return nil }
            let outputs = item.reading.outputs
            let signals: [(OutputName, Signal)] = entries.compactMap { entry in
                guard outputs.contains(entry.name) else {
                    item.reading.report(
                        .unknown(nearest: nearest(to: entry.name, in: outputs), known: outputs), origin: entry.origin,
                        key: entry.item.path)
                    return nil
                }
                return Signal.form.read(entry.item).map { (entry.name, $0) }
            }
            return Dictionary(signals) { first, _ in first }
        }
    }
}

extension Signal {
    /// What is expected, in words.
    fileprivate static let expected = "on, off, {blink: [on, off]} or the name of a pattern"

    private static let blink = Key(
        "blink", .list(of: .step, count: 2...2, "two times, on and off, such as [425ms, 425ms]"),
        "How long it is on, and off, over and over.")

    /// How a signal is written.
    fileprivate static var form: Form<Signal> {
        let section = Form<Signal>.section([blink]) { $0.read(blink).map { .blink(Pattern($0)) } }
        return Form(expected: expected, shape: .scalar) { item in
            switch item.node.content {
            case .scalar("on", plain: _): return .on
            case .scalar("off", plain: _): return .off
            case .mapping: return section.read(item)
            case .scalar, .sequence: return item.pattern(expected: expected).map { .play($0.pattern) }
            }
        }
    }
}

extension Pattern {
    /// The longest pattern.
    static let longest: Duration = .seconds(3600)

    /// How a pattern is written.
    static var form: Form<Pattern> {
        let list = Form<[Duration]>.list(
            of: .step, count: 1...64, "a list of 1 to 64 times, on and off in turn, such as [80ms, 40ms, 80ms]")
        return Form(expected: list.expected, shape: list.shape) { item in
            guard item.isNewPatternName, let pattern = list.read(item).map(Pattern.init) else { return nil }
            guard pattern.length <= longest else {
                let found = "a pattern of \(DurationText.text(pattern.length))"
                item.report(.unexpected(found: found, expected: "one of at most 1h"))
                return nil
            }
            return pattern
        }
    }
}

extension Form where Value == Duration {
    /// A step of a pattern.
    fileprivate static var step: Form {
        scalar("a duration from 10ms to 1h, such as 425ms") { text in
            DurationText.duration(text).flatMap { (.milliseconds(10)...(.seconds(3600))).contains($0) ? $0 : nil }
        }
    }
}

extension Form where Value == String {
    /// The name of a pattern.
    static var pattern: Form {
        let expected = "the name of a pattern"
        return Form(expected: expected, shape: .scalar) { $0.pattern(expected: expected)?.name }
    }

    /// The name of a pattern, or `none`.
    static var patternOrNone: Form {
        let expected = "the name of a pattern, or none for silence"
        return Form(expected: expected, shape: .scalar) { item in
            item.node.text == Pattern.none ? Pattern.none : item.pattern(expected: expected)?.name
        }
    }
}

extension Reading {
    /// The patterns there are, and the one that is most like a text.
    func patternHint(_ text: String?) -> String {
        let names = patterns.keys.sorted()
        let hint = text.flatMap { nearest(to: $0, in: names) }.map { "; did you mean \($0.excerpt)?" } ?? ""
        return "(\(names.map(\.excerpt).joined(separator: ", ")))\(hint)"
    }
}

extension Item {
    /// The pattern that is named here; where there is none the nearest one is told.
    fileprivate func pattern(expected: String) -> (name: String, pattern: Pattern)? {
        let known = reading.patterns
        if let name = node.text, let pattern = known[name] { return (name, pattern) }
        report(expected: "\(expected) \(reading.patternHint(node.text))")
        return nil
    }

    /// Whether the last key of the path may be a pattern's name; if not, that is reported.
    fileprivate var isNewPatternName: Bool {
        for word in [Pattern.none, "on", "off"] where path.hasSuffix(".\(word)") {
            report(.other("found \"\(word)\", expected another name: this word has a meaning of its own"))
            return false
        }
        return true
    }
}

extension YAMLNode {
    /// The names of a mapping's keys as they are written.
    var keys: [String] {
        guard case .mapping(let entries) = content else { return [] }
        return entries.compactMap(\.key.text)
    }
}
