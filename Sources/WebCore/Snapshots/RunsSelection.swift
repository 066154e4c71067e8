package import FoundationEssentials
package import TimerProtocol

/// The runs of some days, the newest first.
package struct RunsSelection: Hashable, Sendable {
    package private(set) var runs: [RunRecord] = []
    package private(set) var isComplete = true

    package init() {}

    /// Selects among runs, which are the newest first.
    ///
    /// - Parameters:
    ///   - isComplete: whether the node keeps no others.
    ///   - from: when the first day begins; nil for no limit.
    ///   - to: when the day after the last one begins; nil for no limit.
    package init(of runs: [RunRecord], isComplete: Bool, from: Date?, to: Date?) {
        self.runs = runs.filter { run in
            (from.map { run.startedAt >= $0 } ?? true) && (to.map { run.startedAt < $0 } ?? true)
        }
        // What is missing is older than what is there.
        self.isComplete = isComplete || (from.map { first in runs.contains { $0.startedAt < first } } ?? false)
    }
}

extension RunsSelection: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("runs", &runs, ListBounds(()), "The runs, the newest first.")
        try visitor.field("complete", &isComplete, "Whether these are all that the node keeps of these days.")
    }
}
