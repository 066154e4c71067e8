import TimerProtocol

/// Each run is in the report exactly once.
struct RunLaw {
    private struct Node {
        /// The runs that the node said had ended, with the time.
        var ended: [RunRecord.ID: Duration] = [:]
        /// The runs in the newest report.
        var listed: Set<RunRecord.ID> = []
        var undone: Set<RunRecord.ID> = []
        /// When the process was last killed.
        var endings: [Duration] = []
        var total = 0
    }

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        switch entry.what {
        case .ended: node.endings.append(entry.time)
        case .said(_, .message(.event(let event))):
            switch event.kind {
            case .runEnded(_, _, let run?):
                node.ended[run.id] = entry.time
                node.undone.remove(run.id)
            case .runUndone(let id): node.undone.insert(id)
            default: break
            }
        case .said(_, .message(.runs(let runs))):
            let ids = runs.runs.map(\.id)
            if Set(ids).count < ids.count { return "a run is listed twice" }
            node.listed.formUnion(ids)
            node.total = runs.total
        case .settled:
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
