import TimerProtocol

/// Each run is in the report exactly once, and the node said that it ended.
struct RunLaw {
    private struct Node {
        /// The runs that the node said had ended, with the time.
        var ended: [RunRecord.ID: Duration] = [:]
        /// The runs in the newest report.
        var listed: Set<RunRecord.ID> = []
        var undone: Set<RunRecord.ID> = []
        /// When the process was last killed.
        var endings: [Duration] = []
        /// Whether the process has published its report on this connection.
        var hasReported = false
        /// Whether it follows another node, and so keeps its report to itself.
        var isFollower = false
        /// The runs that came into the report before the node said that they ended, with the time.
        var unannounced: [RunRecord.ID: Duration] = [:]
    }

    /// How long after its report a run's end may be announced.
    private static let delay = Duration.seconds(1)

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        if let (run, _) = node.unannounced.first(where: { $0.value < entry.time - Self.delay }) {
            return "the run \(run) is in the report, but its end was not announced"
        }
        switch entry.what {
        case .ended:
            node.endings.append(entry.time)
            (node.hasReported, node.unannounced) = (false, [:])
        // What ended without a connection is not announced.
        case .connected: (node.hasReported, node.unannounced) = (false, [:])
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
                for id in ids where !node.listed.contains(id) && node.ended[id] == nil {
                    node.unannounced[id] = entry.time
                }
            }
            node.hasReported = true
            node.listed.formUnion(ids)
        case .settled where !node.isFollower:
            // A run that had just ended when the process was killed goes on and ends later, with the same id.
            let sure = node.ended.filter { run in
                !node.undone.contains(run.key)
                    && !node.endings.contains { $0 >= run.value && $0 - run.value < .seconds(60) }
            }
            if let lost = sure.keys.first(where: { !node.listed.contains($0) }) {
                return "the run \(lost) is not in the report"
            }
        default: break
        }
        return nil
    }
}
