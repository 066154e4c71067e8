internal import NodePorts
internal import TimerEngine

/// What the store was asked to do, and how that ended.
struct Saving: Sendable {
    /// Something to be set aside, and the words for it in the log.
    struct Pending: Hashable, Sendable {
        let what: SetAside
        let reason: String
        /// Whether the store has been asked to, and has not answered.
        var isUnderWay = false
    }

    /// What was last saved, without what passes with time; if nil, the present state is saved again.
    var last: SavedNodeState?
    /// What must be set aside before anything is saved.
    var pending: [Pending] = []
    /// Why saving has failed since it last succeeded, each reason once.
    private var faults: Set<String> = []
    /// When to try again.
    private(set) var retryAt: Instant?
    /// The number of the newest save, by which its end is recognised.
    private var number = 0
    /// Whether the newest save has not ended yet.
    private var isSaveUnderWay = false
    /// Which version of the runs is on the disk.
    var savedRuns = 0
    /// The saves that have the runs with them and have not ended yet, with the version of these.
    private var runsUnderWay: [(number: Int, version: Int)] = []

    /// For another store, which is empty: the state is saved there, and edits that still have to be set aside are kept
    /// there. The old store is left as it is.
    var withOtherStore: Saving {
        var other = Saving()
        other.number = number
        // No version, so that the runs are saved there too.
        other.savedRuns = -1
        other.pending = pending.filter { if case .edits = $0.what { true } else { false } }
            .map { Pending(what: $0.what, reason: $0.reason) }
        return other
    }

    /// Whether saving has failed since it last succeeded.
    var hasFailed: Bool { !faults.isEmpty }

    /// Whether something is on its way to the disk.
    var isUnderWay: Bool { isSaveUnderWay || pending.contains(where: \.isUnderWay) }

    /// Whether these runs are neither on the disk nor on their way to it.
    func lacks(runs version: Int) -> Bool { version != savedRuns && runsUnderWay.last?.version != version }

    /// Begins a save; returns its number.
    ///
    /// - Parameter runs: the version of the runs that are saved with it; nil for none.
    mutating func begin(runs: Int?) -> Int {
        number += 1
        isSaveUnderWay = true
        if let runs { runsUnderWay.append((number, runs)) }
        return number
    }

    /// A save ended, well or not.
    mutating func ended(_ number: Int, well: Bool) {
        if well, let runs = runsUnderWay.last(where: { $0.number == number }) { savedRuns = runs.version }
        // Of those before it nothing will be heard: they were not begun, as this one came.
        runsUnderWay.removeAll { $0.number <= number }
        // An older one may end while the newest is still on its way.
        if number == self.number { isSaveUnderWay = false }
    }

    /// What is to be set aside and was not asked for yet; it counts as asked for from now on.
    mutating func setAside() -> [SetAside] {
        let asked = pending.filter { !$0.isUnderWay }.map(\.what)
        for place in pending.indices { pending[place].isUnderWay = true }
        return asked
    }

    /// Nothing could be saved; returns whether that is news.
    mutating func failed(_ fault: String, at now: Instant) -> Bool {
        retryAt = now + .seconds(60)
        return faults.insert(fault).inserted
    }

    /// The state is saved; returns whether it could not be before.
    mutating func succeeded() -> Bool {
        retryAt = nil
        defer { faults = [] }
        return hasFailed
    }

    /// Marks the state to be saved again, if a retry is due.
    mutating func retry(at now: Instant) {
        guard let retryAt, retryAt <= now else { return }
        self.retryAt = nil
        last = nil
    }
}
