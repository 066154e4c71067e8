internal import TimerEngine

/// On and off times in turn, beginning with on; played once or over and over.
struct Pattern: Hashable, Sendable {
    /// Each longer than nothing.
    let steps: [Duration]

    init(_ steps: [Duration]) {
        self.steps = steps
    }

    init(milliseconds: Int...) {
        self.init(milliseconds.map { .milliseconds($0) })
    }

    var length: Duration { steps.reduce(.zero, +) }

    /// Whether it is on at `offset` into one playing, and how long it stays so.
    func step(at offset: Duration) -> (isOn: Bool, remaining: Duration) {
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
    static let flash = Pattern(milliseconds: 425, 425)
    /// The lamp of a paused mode.
    static let held = Pattern(milliseconds: 500, 1500)
}
