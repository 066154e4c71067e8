internal import TimerEngine

/// How an output goes on and off, so that a display does it at the same instants.
public struct OutputPattern: Hashable, Sendable {
    /// A pattern has at most so many times.
    public static let maximumSteps = 128

    /// How long it is on, off, on and so forth; whole milliseconds, each more than 0.
    public var steps: [Duration]
    /// Whether it goes on from the beginning after the last step; else it is off.
    public var repeats: Bool
    /// When it began, on the node's clock that counts from the boot.
    public var began: Duration

    /// A pattern that began at some time after the boot.
    public init(steps: [Duration], repeats: Bool, began: Duration) {
        self.steps = steps
        self.repeats = repeats
        self.began = began
    }
}

// MARK: - JSON

extension OutputPattern {
    func write(to writer: inout JSONWriter) {
        writer.key(.stepsMilliseconds)
        writer.array(steps) { $0.value($1.count(of: .milliseconds(1))) }
        writer.member(.repeat, repeats)
        writer.member(.began, microseconds: began)
    }

    init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        let steps = try fields.wholeNumbers(.stepsMilliseconds, in: 1...86_400_000)
        guard (1...Self.maximumSteps).contains(steps.count) else {
            throw fields.refusal(
                JSONKey.stepsMilliseconds.name, found: "\(steps.count) times",
                expected: "1 to \(Self.maximumSteps) of them")
        }
        self.init(
            steps: steps.map { .milliseconds($0) }, repeats: try fields.required(.repeat),
            began: try fields.requiredMicroseconds(.began, in: .instants))
    }
}
