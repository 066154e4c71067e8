internal import FoundationEssentials
internal import NodePorts
package import TimerProtocol

/// The runs that ended, for the report: the newest of them, as many as the configuration keeps.
struct RunHistory: Hashable, Sendable {
    /// The oldest first.
    private(set) var runs: [RunRecord] = []
    /// How many are kept at most.
    private var limit: Int
    /// Grows with each change.
    private(set) var version = 0

    /// - Parameter limit: how many runs are kept; 0 for none.
    init(limit: Int) { self.limit = limit }

    /// Adds a run, unless it is there: after a crash between two writes the same run may end once more.
    mutating func add(_ run: RunRecord) {
        guard limit > 0, !runs.contains(where: { $0.id == run.id }) else { return }
        change { $0.append(run) }
    }

    /// Says who spoke in a run; returns false where there is no such run.
    mutating func amend(_ id: UUID, speaker: String?) -> Bool {
        guard let place = runs.firstIndex(where: { $0.id == id }) else { return false }
        change { $0[place].speaker = speaker }
        return true
    }

    mutating func removeAll() { change { $0 = [] } }

    mutating func restore(_ saved: [RunRecord]) {
        // Those of this process are newer.
        let own = runs
        change { $0 = saved.filter { saved in !own.contains { $0.id == saved.id } } + own }
    }

    mutating func reconfigure(limit: Int) {
        guard limit != self.limit else { return }
        self.limit = limit
        if runs.count > limit { change { _ in } }
    }

    private mutating func change(_ body: (inout [RunRecord]) -> Void) {
        body(&runs)
        runs.removeFirst(max(0, runs.count - limit))
        version += 1
    }

    /// What the topic `runs` says.
    var message: RunsMessage {
        RunsMessage(runs: runs.suffix(RunsMessage.length).reversed(), total: runs.count)
    }

    /// A page of the report, counted from 1; nil where there is no such page. The first one is always there.
    func page(_ page: Int) -> Response.RunsPage? {
        let length = RunsCommand.pageLength
        let pages = (runs.count + length - 1) / length
        guard page <= max(1, pages) else { return nil }
        let newestFirst = runs.reversed().dropFirst((page - 1) * length).prefix(length)
        return Response.RunsPage(runs: Array(newestFirst), page: page, pages: pages)
    }
}

/// The bytes that the runs are saved as: the line of a saved document, then the runs as JSON.
package struct SavedRuns: Savable, Hashable {
    /// The oldest is the first.
    package let runs: [RunRecord]

    package init(runs: [RunRecord]) { self.runs = runs }

    /// Reads a ``document``.
    init(_ document: [UInt8]) throws(SavedDocument.Unusable) {
        let json = try SavedDocument.runs.open(document)
        do throws(PayloadError) { runs = try RunsDocument.read(json).runs } catch {
            throw .senseless(error.description)
        }
    }

    package var document: [UInt8] {
        var document = RunsDocument()
        document.runs = runs
        return SavedDocument.runs.seal(document.json(capacity: 64 + 320 * runs.count))
    }
}
