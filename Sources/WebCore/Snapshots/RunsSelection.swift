package import FoundationEssentials
package import TimerProtocol

/// The runs of some days, the newest first.
package struct RunsSelection: Hashable, Sendable {
    package let runs: [RunRecord]
    /// Whether these are all that the node keeps of these days.
    package let isComplete: Bool

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

    /// The answer of the API.
    package var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.object { writer in
            writer.key("runs")
            writer.array(runs) { $1.write(to: &$0, ()) }
            writer.member("complete", isComplete)
        }
        return writer.bytes
    }
}
