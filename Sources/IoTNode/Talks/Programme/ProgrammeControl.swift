internal import BrokerLink
internal import Calendar
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The running order: which entry is the current one, and what has happened to the others.
///
/// Only what people did is kept. What is planned and expected is computed from it.
struct ProgrammeControl: Hashable, Sendable {
    /// What has happened to an entry.
    struct Progress: Hashable, Sendable {
        var id = ""
        /// When its first run began.
        var began: Date?
        var used: Duration = .zero
        var isDone = false
        var isSkipped = false
    }

    /// The running order, or nil if there is none.
    private(set) var programme: Encoded<Programme>?
    /// Increases with each change to the running order.
    private(set) var revision = 1
    /// The id of the current entry.
    private(set) var current: String?
    /// What has happened; only entries to which something has happened.
    private(set) var progress: [Progress] = []
    /// The current run, if it belongs to the current entry.
    private(set) var run: UUID?
    /// When the running order was sent. The planned times of day are on the day that begins within some hours of it.
    private(set) var sentAt = Date.unread
    /// Increases whenever the published running order may have changed.
    private(set) var version = 0
    /// The time between two entries.
    var gap: Duration { didSet { version += 1 } }

    init(gap: Duration) { self.gap = gap }

    var entries: [Programme.Entry] { programme?.value.entries ?? [] }

    /// The index of the current entry.
    var currentIndex: Int? { current.flatMap { id in entries.firstIndex { $0.id == id } } }

    /// The current entry.
    var currentEntry: Programme.Entry? { currentIndex.map { entries[$0] } }

    func progress(of id: String?) -> Progress {
        progress.first { $0.id == id } ?? Progress(id: id ?? "")
    }

    private mutating func change(_ id: String?, _ body: (inout Progress) -> Void) {
        guard let id else { return }
        var changed = progress(of: id)
        body(&changed)
        progress.removeAll { $0.id == id }
        if changed != Progress(id: id) { progress.append(changed) }
        version += 1
    }
}

// MARK: - The running order itself

extension ProgrammeControl {
    /// Replaces the running order; entries keep what has happened to them by their ids.
    mutating func replace(_ new: Programme, at date: Date) {
        revision += 1
        version += 1
        let used = Set(entries.compactMap(\.id))
        programme = new.entries.isEmpty ? nil : Encoded(new.identified(avoiding: used))
        let ids = Set(entries.compactMap(\.id))
        progress.removeAll { !ids.contains($0.id) }
        // Without its entry, the run is left alone.
        if let current, !ids.contains(current) { (self.current, run) = (nil, nil) }
        // Nothing of it has happened yet, so that it may be for another day.
        if current == nil, progress.isEmpty { sentAt = date }
    }

    /// Returns the index of the entry that a selector names.
    func index(_ selector: EntrySelector) throws(Refusal) -> Int {
        guard let programme else { throw Refusal(.notFound, "there is no running order") }
        switch selector {
        case .entry(let text): return try programme.value.index(text)
        case .next:
            let rest = entries.indices.dropFirst((currentIndex ?? -1) + 1)
            let next = rest.first { index in
                let progress = progress(of: entries[index].id)
                return !progress.isDone && !progress.isSkipped
            }
            guard let next else { throw Refusal(.notAllowed, "there is no next entry: the running order is through") }
            return next
        case .previous:
            guard let currentIndex, currentIndex > 0 else {
                throw Refusal(.notAllowed, "there is no entry before the current one")
            }
            return currentIndex - 1
        }
    }

    /// Makes an entry the current one.
    mutating func begin(_ index: Int, at date: Date) {
        let entry = entries[index]
        // Nobody times such an entry, so that it is over when another one is begun.
        if let old = currentEntry, old.id != entry.id, !old.isTimed {
            change(old.id) { $0.isDone = true }
        }
        (current, run) = (entry.id, nil)
        change(entry.id) { progress in
            progress.isSkipped = false
            if !entry.isTimed { progress.began = progress.began ?? date }
        }
        version += 1
    }

    /// Leaves an entry out, which is not the current one.
    mutating func skip(_ selector: String) throws(Refusal) {
        let index = try index(.entry(selector))
        guard entries[index].id != current else {
            throw Refusal(.notAllowed, "entry \(index + 1) is the current one; begin another one instead")
        }
        change(entries[index].id) { $0.isSkipped = true }
    }
}

// MARK: - Runs

extension ProgrammeControl {
    /// Follows the steps of the timer: a run belongs to the current entry if it has the entry's timer or times, and so
    /// do the runs that follow it in a sequence.
    ///
    /// - Parameters:
    ///   - player: the player after these steps.
    ///   - id: the id of its current run.
    /// - Returns: for each step, the entry whose run it ended.
    mutating func follow(
        _ steps: [RunningTimer.Step], _ player: TimerPlayer, run id: UUID?, at now: Moment
    ) -> [Programme.Entry?] {
        guard let entry = currentEntry else { return steps.map { _ in nil } }
        var entries: [Programme.Entry?] = []
        for (index, step) in steps.enumerated() {
            entries.append(run != nil && step.ended != nil ? entry : nil)
            guard run != nil, let ended = step.ended else { continue }
            let next = steps.dropFirst(index + 1).first?.event
            let isSequence = if case .movedOn? = next { true } else { false }
            if !ended.isAccidental {
                change(entry.id) { progress in
                    progress.used += ended.used
                    progress.began = progress.began ?? now.date(of: ended.startedAt)
                    if !isSequence { progress.isDone = true }
                }
            }
            if !isSequence { run = nil }
        }
        let isOn = player.mode != .stopped && (run != nil || matches(entry, player))
        if run != (isOn ? id : nil) { (run, version) = (isOn ? id : nil, version + 1) }
        return entries
    }

    private func matches(_ entry: Programme.Entry, _ player: TimerPlayer) -> Bool {
        if entry.start != nil || entry.until != nil { return player.oneOff != nil && player.oneOff == player.prepared }
        guard let timer = entry.timer, player.oneOff == nil else { return false }
        return (try? player.model.path(selector: timer)) == player.model.selected
    }
}

// MARK: - What can be undone

extension ProgrammeControl {
    /// The state before a command, without the running order itself.
    struct Before: Hashable, Sendable {
        var current: String?
        var run: UUID?
        /// What had happened to the entries that the command has changed.
        var progress: [Progress] = []
    }

    /// What was different in an earlier state.
    func difference(to before: ProgrammeControl) -> Before? {
        guard programme != nil, current != before.current || run != before.run || progress != before.progress else {
            return nil
        }
        let ids = Set((progress + before.progress).map(\.id))
        let changed = ids.sorted().map { before.progress(of: $0) }.filter { $0 != progress(of: $0.id) }
        return Before(current: before.current, run: before.run, progress: changed)
    }

    /// Restores an earlier state, except for entries that have been removed since.
    mutating func bringBack(_ before: Before) {
        let ids = Set(entries.compactMap(\.id))
        for old in before.progress where ids.contains(old.id) { change(old.id) { $0 = old } }
        if before.current.map({ ids.contains($0) }) ?? true { (current, run) = (before.current, before.run) }
        version += 1
    }
}

// MARK: - Saving

/// The running order as it is saved.
struct SavedProgramme: Hashable, Sendable {
    var programme = Encoded(Programme())
    var revision = 1
    var sentAt = Date.unread
    var before = ProgrammeControl.Before()
}

extension ProgrammeControl {
    var saved: SavedProgramme? {
        guard programme != nil || revision > 1 else { return nil }
        return SavedProgramme(
            programme: programme ?? Encoded(Programme()), revision: revision, sentAt: sentAt,
            before: Before(current: current, run: run, progress: progress))
    }

    mutating func restore(_ saved: SavedProgramme) {
        programme = saved.programme.value.entries.isEmpty ? nil : saved.programme
        (revision, sentAt) = (saved.revision, saved.sentAt)
        (current, run, progress) = (saved.before.current, saved.before.run, saved.before.progress)
        if let current, !entries.contains(where: { $0.id == current }) { (self.current, run) = (nil, nil) }
        version += 1
    }
}

extension SavedProgramme: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("programme", &programme, "The running order.")
        try visitor.field("revision", &revision, .counts, "How many times it has been changed.")
        try visitor.savedDate("sent_at", &sentAt, "When it was sent.")
        try before.fields(&visitor)
    }
}

extension ProgrammeControl.Before: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("current", &current, .plain, .omitted, "The id of the current entry.")
        try visitor.field("run", &run, .omitted, "The id of its run.")
        try visitor.field("progress", &progress, ListBounds(()), .omitted, "What has happened to the entries.")
    }
}

extension ProgrammeControl.Progress: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, .name, "The id of the entry.")
        try visitor.field("began", &began, .omitted, "When its first run began.")
        try visitor.field("used", &used, .instants, .omitted, "How long it has taken.")
        try visitor.field("done", &isDone, .omitted, "Whether it is over.")
        try visitor.field("skipped", &isSkipped, .omitted, "Whether it is left out.")
    }
}
