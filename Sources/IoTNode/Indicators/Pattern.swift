internal import TimerEngine

/// On and off times in turn, beginning with on; played once or over and over.
package struct Pattern: Hashable, Sendable {
    /// Each longer than nothing.
    package let steps: [Duration]

    package init(_ steps: [Duration]) {
        self.steps = steps
    }

    package init(milliseconds: Int...) {
        self.init(milliseconds.map { .milliseconds($0) })
    }

    package var length: Duration { steps.reduce(.zero, +) }

    /// What is played over and over: a pattern that ends in an on time has a pause after it, or its end and its
    /// beginning would be one.
    package var repeating: Pattern { steps.count.isMultiple(of: 2) ? self : Pattern(steps + [Self.pause]) }

    /// Whether it is on at `offset` into one playing, and how long it stays so.
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
    /// A lamp in alarm.
    package static let flash = Pattern(milliseconds: 425, 425)
    /// The lamp of a paused mode.
    package static let held = Pattern(milliseconds: 500, 1500)
    /// A lamp of a node that is looked for.
    package static let identify = Pattern(milliseconds: 250, 250)
    /// Between two playings of a pattern that ends in an on time.
    package static let pause: Duration = .milliseconds(500)

    /// Those that have a name without being configured.
    package static let builtIn: [String: Pattern] = [
        "beep": Pattern(milliseconds: 150),
        "double": Pattern(milliseconds: 150, 150, 150),
        "triple": Pattern(milliseconds: 150, 150, 150, 150, 150),
        "long": Pattern(milliseconds: 1000),
        "alarm": flash,
    ]

}
