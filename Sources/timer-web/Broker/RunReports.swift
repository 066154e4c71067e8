internal import FoundationEssentials
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// The runs of the nodes. They are asked for page by page, and kept for ``freshness``, or until a node tells that there
/// are others.
actor RunReports {
    /// What was to be had of a node, the newest first.
    struct Report: Sendable {
        var runs: [RunRecord]
        /// Whether the node keeps no other runs.
        var isComplete: Bool
    }

    private struct Known {
        let report: Report
        /// The change of the node's topic that the report is of.
        let change: Int
        let at: Instant
    }

    /// Somebody may amend an old run, which the topic does not tell.
    private static let freshness: Duration = .seconds(30)

    private let broker: BrokerThread
    private let hub: StreamHub
    private var known: [String: Known] = [:]
    /// Who is being asked, and after which change of the topic.
    private var asked: [String: (task: Task<Report?, Never>, change: Int)] = [:]

    init(_ broker: BrokerThread, _ hub: StreamHub) {
        self.broker = broker
        self.hub = hub
    }

    /// The runs of a node; nil where it does not answer and has told none.
    func report(of node: String) async -> Report? {
        let change = hub.snapshot.nodes[node]?.parts[.runs]?.change ?? 0
        if let known = known[node], known.change == change, known.at.duration(to: .now) < Self.freshness {
            return known.report
        }
        // Several ask at once where a run has ended, and the node is asked once. What it was asked before may lack that run.
        let asking = asked[node].flatMap { $0.change == change ? $0.task : nil }
        let task = asking ?? Task { await fetch(node) }
        asked[node] = (task, change)
        let report = await task.value
        // What somebody has changed in the meantime may be missing: it is only for those who asked before.
        if asked[node]?.task == task {
            asked[node] = nil
            if let report { known[node] = Known(report: report, change: change, at: .now) }
        }
        known = known.filter { hub.snapshot.nodes[$0.key] != nil }
        return report ?? newest(of: node)
    }

    /// Somebody has changed the report by the web.
    func forget(_ node: String) {
        known[node] = nil
        asked[node] = nil
    }

    /// What the node's topic has, where the node itself does not answer.
    private func newest(of node: String) -> Report? {
        guard let part = hub.snapshot.nodes[node]?.parts[.runs], let message = try? RunsMessage(part.full) else {
            return nil
        }
        return Report(runs: message.runs, isComplete: message.runs.count >= message.total)
    }

    /// Asks for all pages; nil if the node does not answer or refuses.
    private nonisolated func fetch(_ node: String) async -> Report? {
        var download = RunsDownload(at: .now)
        while true {
            let command = OutgoingCommand(id: UUID().uuidString.lowercased(), to: .node(node), download.question)
            guard case .answered(let response, _) = await broker.execute(command) else { return nil }
            switch download.receive(response, at: .now) {
            case .ask: break
            case .wait(let time): do { try await Task.sleep(for: time) } catch { return nil }
            case .done(let isComplete): return Report(runs: download.runs, isComplete: isComplete)
            case .failed: return nil
            }
        }
    }
}
