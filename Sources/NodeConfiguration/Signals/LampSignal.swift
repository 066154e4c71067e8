package import TimerEngine
package import TimerProtocol

/// The signal of an output from a certain instant on.
package enum LampSignal: Hashable, Sendable {
    case off
    case on
    /// Repeats the pattern.
    case blink(Pattern)
    /// Plays the pattern once, then is off.
    case play(Pattern)

    /// The same signal, repeated if it is played once.
    package var repeated: LampSignal {
        if case .play(let pattern) = self { .blink(pattern.repeating) } else { self }
    }

    /// The signal's duration; nil if it does not end on its own.
    package var playingTime: Duration? {
        if case .play(let pattern) = self { pattern.length } else { nil }
    }

    /// Whether the signal ends on its own.
    package var isPlayedOnce: Bool {
        if case .play = self { true } else { false }
    }

    /// Returns whether the output is on at `now`, and when that changes next; nil for never.
    package func level(
        since start: Instant, at now: Instant
    ) -> (isOn: Bool, until: Instant?) {
        let elapsed = start.duration(to: now)
        switch self {
        case .off: return (false, nil)
        case .on: return (true, nil)
        case .play(let pattern) where elapsed >= pattern.length: return (false, nil)
        case .blink(let pattern), .play(let pattern):
            let step = pattern.step(at: elapsed % pattern.length)
            return (step.isOn, now + step.remaining)
        }
    }

    /// Returns the output's state as it is published.
    package func state(since start: Instant, at now: Instant) -> OutputState {
        switch self {
        case .off: .off
        case .on: .on
        case .blink: .blink
        case .play(let pattern) where start.duration(to: now) >= pattern.length: .off
        case .play(let pattern): pattern.steps.count > 1 ? .blink : .on
        }
    }
}

extension Duration {
    /// The remainder of the division.
    fileprivate static func % (dividend: Duration, divisor: Duration) -> Duration {
        Duration(attoseconds: dividend.attoseconds % divisor.attoseconds)
    }
}

/// Alternating on and off times, the first one on; played once or repeated.
package struct Pattern: Hashable, Sendable {
    /// Each longer than zero.
    package let steps: [Duration]

    package init(_ steps: [Duration]) {
        self.steps = steps
    }

    package init(milliseconds: Int...) {
        self.init(milliseconds.map { .milliseconds($0) })
    }

    package var length: Duration { steps.reduce(.zero, +) }

    /// The pattern in the form for repetition. A pause is added to a pattern that ends with an on time; otherwise the
    /// end of one repetition and the beginning of the next would merge.
    package var repeating: Pattern { steps.count.isMultiple(of: 2) ? self : Pattern(steps + [Self.pause]) }

    /// Returns whether the output is on at `offset` into one repetition, and how long it stays that way.
    package func step(at offset: Duration) -> (isOn: Bool, remaining: Duration) {
        var end = Duration.zero
        for (index, step) in steps.enumerated() {
            end += step
            if offset < end { return (index.isMultiple(of: 2), end - offset) }
        }
        return (false, .zero)
    }
}

extension Pattern {
    /// The flashing of a lamp during the alarm.
    package static let flash = Pattern(milliseconds: 425, 425)
    /// The blinking of a lamp while paused.
    package static let held = Pattern(milliseconds: 500, 1500)
    /// The blinking of a lamp that is told apart by its rhythm, in the warning.
    package static let slow = Pattern(milliseconds: 1000, 1000)
    /// The blinking of such a lamp in the final mode, below three times a second.
    package static let quick = Pattern(milliseconds: 200, 200)
    /// The pattern that asks for the speaker's attention.
    package static let attention = Pattern(milliseconds: 150, 150, 150, 150, 150)
    /// The blinking of the lamps of a node that is being identified.
    package static let identify = Pattern(milliseconds: 250, 250)
    /// The pause between two repetitions of a pattern that ends with an on time.
    package static let pause: Duration = .milliseconds(500)

    /// Vibrations to count.
    package static func pulses(_ count: Int) -> Pattern {
        let (on, off) = (Duration.milliseconds(300), Duration.milliseconds(200))
        return Pattern(Array(repeating: [on, off], count: count).joined().dropLast())
    }

    /// The named patterns that need no configuration.
    package static let builtIn: [String: Pattern] = [
        "beep": Pattern(milliseconds: 150),
        "double": Pattern(milliseconds: 150, 150, 150),
        "triple": Pattern(milliseconds: 150, 150, 150, 150, 150),
        "long": Pattern(milliseconds: 1000),
        "alarm": flash,
    ]

}

extension LampSignal {
    /// The signals of a mode: outputs, each with its signal.
    static var outputs: Schema<[OutputName: LampSignal]> {
        let expected = "outputs such as red: on"
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

    /// What is expected, in words.
    fileprivate static let expected = "on, off, {blink: [on, off]} or a pattern's name"

    private static let blinkKeys = Keys(
        prototype: [Duration](),
        .required(
            "blink", \.self, .list(of: .step, count: 2...2, "two times, on and off, such as [425ms, 425ms]"),
            "How long it is on and off in turn.")
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
    /// One step of a pattern.
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
    /// Returns the names of the patterns, with the one nearest to a string.
    func patternHint(_ text: String?) -> String {
        let names = patterns.keys.sorted()
        let hint = text.flatMap { nearest(to: $0, in: names) }.map { "; did you mean \($0.excerpt)?" } ?? ""
        return "(\(names.map(\.excerpt).joined(separator: ", ")))\(hint)"
    }
}

extension YAMLNode {
    /// Returns the pattern named here; nil after a fault, which suggests the nearest one.
    fileprivate func pattern(expected: String) -> (name: String, pattern: Pattern)? {
        let known = context.patterns
        if let name = tree.text, let pattern = known[name] { return (name, pattern) }
        report(expected: "\(expected) \(context.patternHint(tree.text))")
        return nil
    }

    /// Whether the last key of the path may be the name of a new pattern; false after a fault.
    fileprivate var isNewPatternName: Bool {
        for word in [TimerGroup.silent, "on", "off"] where path.hasSuffix(".\(word)") {
            report(.other("found \"\(word)\", expected another name: this word has a special meaning"))
            return false
        }
        return true
    }
}
