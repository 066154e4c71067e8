import TimerProtocol

/// Each run is in the report exactly once, and the node said that it ended.
struct RunLaw {
    private struct Node {
        /// The runs that the node said had ended, with the time.
        var ended: [RunRecord.ID: Duration] = [:]
        /// The runs that a report has listed, with the time of the first one.
        var listed: [RunRecord.ID: Duration] = [:]
        /// The runs that have been listed and may be missing from a later report.
        var mayBeGone: Set<RunRecord.ID> = []
        var undone: Set<RunRecord.ID> = []
        /// When processes ended.
        var endings: [Duration] = []
        /// When the disk last had everything.
        var savedAt = Duration.zero
        /// Whether the process has published its report on this connection.
        var hasReported = false
        /// Whether it follows another node, and so keeps its report to itself.
        var isFollower = false
        /// The runs that came into the report before the node said that they ended, with the time.
        var unannounced: [RunRecord.ID: Duration] = [:]
        /// A report that is judged once everything has been published that belongs to it.
        var report: (runs: RunsMessage, time: Duration)?

        func judge(_ report: RunsMessage) -> String? {
            let expected = listed.keys.filter { !mayBeGone.contains($0) && !undone.contains($0) }
            let least = min(expected.count, RunLaw.kept)
            if report.total < least { return "the report has \(report.total) runs, expected at least \(least)" }
            guard report.total == report.runs.count else { return nil }
            let lost = expected.first { run in !report.runs.contains { $0.id == run } }
            return lost.map { "the run \($0) is no longer in the report" }
        }
    }

    /// How long after its report a run's end may be announced.
    private static let delay = Duration.seconds(1)
    /// How many runs a node keeps.
    private static let kept = 200
    /// How long a run that has ended can be undone at most.
    private static let undoable = Duration.seconds(60)

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        if let report = node.report, report.time < entry.time {
            node.report = nil
            if let text = node.judge(report.runs) { return text }
        }
        if let (run, _) = node.unannounced.first(where: { $0.value < entry.time - Self.delay }) {
            return "the run \(run) is in the report, but its end was not announced"
        }
        switch entry.what {
        case .ended:
            node.endings.append(entry.time)
            // It may not have reached the disk.
            node.mayBeGone.formUnion(node.listed.filter { $0.value >= node.savedAt }.keys)
            (node.hasReported, node.unannounced) = (false, [:])
        // What ended without a connection is not announced.
        case .connected:
            // Nor is what is undone without one.
            node.mayBeGone.formUnion(node.listed.filter { $0.value > entry.time - Self.undoable }.keys)
            (node.hasReported, node.unannounced) = (false, [:])
        case .saved: node.savedAt = entry.time
        case .said(_, .message(.event(let event))):
            switch event.kind {
            case .runEnded(_, _, let run?):
                node.ended[run.id] = entry.time
                node.undone.remove(run.id)
                node.unannounced[run.id] = nil
            case .runUndone(let id): node.undone.insert(id)
            default: break
            }
        case .said(_, .message(.state(let state))): node.isFollower = state.follows != nil
        case .said(_, .message(.runs(let runs))):
            let ids = runs.runs.map(\.id)
            if Set(ids).count < ids.count { return "a run is listed twice" }
            if node.hasReported {
                for id in ids where node.listed[id] == nil && node.ended[id] == nil {
                    node.unannounced[id] = entry.time
                }
            }
            node.hasReported = true
            for id in ids where node.listed[id] == nil { node.listed[id] = entry.time }
            node.mayBeGone.subtract(ids)
            node.report = (runs, entry.time)
        case .settled where !node.isFollower:
            // A run that had just ended when the process was killed goes on and ends later, with the same id.
            let sure = node.ended.filter { run in
                !node.undone.contains(run.key)
                    && !node.endings.contains { $0 >= run.value && $0 - run.value < .seconds(60) }
            }
            if let lost = sure.keys.first(where: { node.listed[$0] == nil }) {
                return "the run \(lost) is not in the report"
            }
        default: break
        }
        return nil
    }
}
