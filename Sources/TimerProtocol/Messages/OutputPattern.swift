internal import TimerEngine

/// How an output goes on and off, so that a display does it at the same instants.
public struct OutputPattern: Hashable, Sendable {
    /// A pattern has at most so many times.
    public static let maximumSteps = 128

    /// How long it is on, off, on and so forth; whole milliseconds, each more than 0.
    public var steps: [Duration] = []
    /// Whether it goes on from the beginning after the last step; else it is off.
    public var repeats = false
    /// When it began, on the node's clock that counts from the boot.
    public var began: Duration = .zero

    /// A pattern of no steps.
    public init() {}

    /// A pattern that began at some time after the boot.
    public init(steps: [Duration], repeats: Bool, began: Duration) {
        self.steps = steps
        self.repeats = repeats
        self.began = began
    }
}

// MARK: - Fields

extension OutputPattern: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field(
            "steps_ms", &steps,
            ListBounds(
                TimeBounds(.milliseconds(1)...(.seconds(86_400)), in: .milliseconds),
                count: (1...Self.maximumSteps, "times"),
                expected: "an array of whole numbers"),
            "How long it is on, off, on and so forth, in milliseconds.")
        try visitor.field("repeat", &repeats, "Whether it begins again at the end; else it is off.")
        try visitor.field("began", &began, .instants, "When it began, in microseconds on the clock of the state.")
    }
}
