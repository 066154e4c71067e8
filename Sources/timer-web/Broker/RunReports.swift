internal import FoundationEssentials
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// The runs of the nodes. They are requested page by page, and kept for ``freshness``, or until a node publishes that
/// its runs have changed.
actor RunReports {
    /// The runs that could be obtained from a node, the newest first.
    struct Report: Sendable {
        var runs: [RunRecord]
        /// Whether these are all the runs that the node keeps.
        var isComplete: Bool
    }

    private struct Known {
        let report: Report
        /// The change of the node's topic for which the report was requested.
        let change: Int
        let at: Instant
    }

    /// How long a report is kept. It is short because an old run may be amended, which the topic does not show.
    private static let freshness: Duration = .seconds(30)

    private let broker: BrokerThread
    private let hub: StreamHub
    private var known: [String: Known] = [:]
    /// The requests in progress, and the change of the topic for which each was started.
    private var asked: [String: (task: Task<Report?, Never>, change: Int)] = [:]

    init(_ broker: BrokerThread, _ hub: StreamHub) {
        self.broker = broker
        self.hub = hub
    }

    /// The runs of a node; nil if the node does not respond and has published no runs.
    func report(of node: String) async -> Report? {
        let change = hub.snapshot.nodes[node]?.parts[.runs]?.change ?? 0
        if let known = known[node], known.change == change, known.at.duration(to: .now) < Self.freshness {
            return known.report
        }
        // Several clients request the report when a run has ended; they share one request to the node. An earlier
        // request may lack that run.
        let asking = asked[node].flatMap { $0.change == change ? $0.task : nil }
        let task = asking ?? Task { await fetch(node) }
        asked[node] = (task, change)
        let report = await task.value
        // If the report was changed meanwhile, this copy may lack the change, so it is returned only to earlier
        // callers.
        if asked[node]?.task == task {
            asked[node] = nil
            if let report { known[node] = Known(report: report, change: change, at: .now) }
        }
        known = known.filter { hub.snapshot.nodes[$0.key] != nil }
        return report ?? newest(of: node)
    }

    /// Forgets the runs of a node, because the report was changed over the web.
    func forget(_ node: String) {
        known[node] = nil
        asked[node] = nil
    }

    /// The runs in the node's topic, for use when the node does not respond.
    private func newest(of node: String) -> Report? {
        guard let part = hub.snapshot.nodes[node]?.parts[.runs], let message = try? RunsMessage(part.full) else {
            return nil
        }
        return Report(runs: message.runs, isComplete: message.runs.count >= message.total)
    }

    /// Requests all pages; nil if the node does not respond or refuses.
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
