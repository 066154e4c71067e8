internal import BrokerLink
internal import FoundationEssentials
internal import NodePorts
internal import TimerEngine
package import TimerProtocol

/// The completed runs for the report: the newest ones, up to the limit in the configuration.
struct RunHistory: Hashable, Sendable {
    /// The runs, oldest first.
    private(set) var runs: [RunRecord] = []
    /// The maximum number of runs that are kept.
    private var limit: Int
    /// Increases with each change.
    private(set) var version = 0

    /// - Parameter limit: how many runs are kept; 0 for none.
    init(limit: Int) { self.limit = limit }

    /// Adds a run unless it is already present: after a crash between two writes, the same run may end a second time.
    mutating func add(_ run: RunRecord) {
        guard limit > 0, !runs.contains(where: { $0.id == run.id }) else { return }
        change { $0.append(run) }
    }

    /// Corrects a run; returns false if there is no such run.
    mutating func amend(_ id: UUID, _ amendment: RunAmendment) -> Bool {
        guard let place = runs.firstIndex(where: { $0.id == id }) else { return false }
        change { $0[place].amend(amendment) }
        return true
    }

    /// Withdraws runs that have not ended after all.
    mutating func remove(_ ids: [UUID]) {
        guard runs.contains(where: { ids.contains($0.id) }) else { return }
        change { $0.removeAll { ids.contains($0.id) } }
    }

    mutating func removeAll() { change { $0 = [] } }

    mutating func restore(_ saved: [RunRecord]) {
        // The runs recorded by this process are newer.
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

    /// The message for the `runs` topic.
    var message: RunsMessage {
        RunsMessage(runs: runs.suffix(RunsMessage.length).reversed(), total: runs.count)
    }

    /// Returns a page of the report, counted from 1; nil if there is no such page. The first page always exists.
    func page(_ page: Int) -> Response.RunsPage? {
        let length = RunsCommand.pageLength
        let pages = (runs.count + length - 1) / length
        guard page <= max(1, pages) else { return nil }
        let newestFirst = runs.reversed().dropFirst((page - 1) * length).prefix(length)
        return Response.RunsPage(runs: Array(newestFirst), page: page, pages: pages)
    }
}

/// The runs as they are saved: the header line of a saved document, then the runs as JSON.
package struct SavedRuns: Savable, Hashable {
    /// The runs, oldest first.
    package let runs: [RunRecord]

    package init(runs: [RunRecord]) { self.runs = runs }

    /// Reads a ``document``.
    init(_ document: [UInt8]) throws(SavedDocument.Unusable) {
        let json = try SavedDocument.runs.open(document)
        do throws(PayloadError) { runs = try RunsDocument.read(json).runs } catch {
            throw .invalid(error.description)
        }
    }

    package var document: [UInt8] {
        var document = RunsDocument()
        document.runs = runs
        return SavedDocument.runs.seal(document.json(capacity: 64 + 320 * runs.count))
    }
}

/// A completed run, on the node's clock.
struct EndedRun: Hashable, Sendable {
    /// A shorter run is considered accidental.
    private static let shortest: Duration = .seconds(2)

    let id: UUID
    let timing: TimerPlayer.Run
    let startedAt: Instant
    let endedAt: Instant
    /// The name of the timer's group.
    let group: String
    /// The number of seconds from which the run counted down.
    let start: Int
    /// The net number of seconds added during the run; negative if more were removed than added.
    let added: Int
    /// The rule for the run's length, shifted by the time that was added.
    let qualifying: QualifyingTime

    /// - Parameters:
    ///   - added: the time that was added during the run.
    ///   - model: the timers when the run ended.
    ///   - oneOff: the one-off run, if the timer itself did not run.
    init(
        id: UUID, timing: TimerPlayer.Run, startedAt: Instant, endedAt: Instant,
        added: Duration, of model: TimerModel, oneOff: TimerPlayer.OneOff?
    ) {
        self.id = id
        self.timing = timing
        self.startedAt = startedAt
        self.endedAt = endedAt
        let timer = model[timing.path]
        group = model.groups.indices.contains(timing.path.group) ? model.groups[timing.path.group].name : ""
        start = (oneOff?.thresholds ?? timer?.thresholds)?.start ?? 0
        self.added = added.roundedToSeconds
        qualifying = (oneOff?.qualifying ?? timer?.qualifying ?? .none).moved(by: self.added)
    }

    var isAccidental: Bool { used < Self.shortest }

    /// Whether it is recorded. On an account every run is, because otherwise they would not add up to what was used.
    var isRecorded: Bool { !isAccidental || timing.total != nil && used > .zero }

    /// The duration of the run, rounded to milliseconds as in the report.
    var used: Duration { timing.used.roundedToMilliseconds }

    /// Returns the record of the run.
    ///
    /// - Parameters:
    ///   - entry: the entry of the running order that it belonged to.
    ///   - planned: when that entry was planned to begin. It is kept because the running order may be edited, or be
    ///     another evening's, by the time that the report is read.
    ///   - grace: the tolerance for the length of the run, in seconds.
    func record(
        speaker: String?, entry: Programme.Entry?, planned: Date?, grace: Int, at now: Moment
    ) -> RunRecord {
        let length = startedAt.duration(to: endedAt)
        var run = RunRecord()
        (run.id, run.timer, run.name, run.group, run.speaker) = (id, timing.path, timing.name, group, speaker)
        (run.startedAt, run.endedAt) = (now.date(of: startedAt), now.date(of: endedAt))
        (run.used, run.over) = (used, timing.over.roundedToMilliseconds)
        run.total = timing.total?.roundedToMilliseconds
        run.paused = max(.zero, length - timing.used).roundedToMilliseconds
        (run.start, run.added, run.qualifying, run.grace) = (start, added, qualifying, grace)
        run.qualified = qualifying.qualifies(used: used, grace: grace)
        (run.entry, run.title, run.planned) = (entry?.id, entry?.title, planned)
        return run
    }
}

extension Duration {
    fileprivate var roundedToMilliseconds: Duration {
        .milliseconds((self + .microseconds(500)).count(of: .milliseconds(1)))
    }
}

extension UUID {
    /// Returns a random UUID, version 4 of RFC 9562.
    static func random(using generator: inout SplitMix64) -> UUID {
        let (high, low) = (generator.next(), generator.next())
        func byte(_ number: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (56 - 8 * place)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6) & 0x0F | 0x40, byte(high, 7), byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2),
                byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
