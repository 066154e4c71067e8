internal import BrokerLink
internal import TimerEngine
internal import TimerProtocol

/// The commands about the running order.
extension NodeCore {
    mutating func follow(_ command: ProgrammeCommand, into batch: inout EffectBatch) throws(Refusal) {
        switch command {
        case .replace(let new, let revision):
            if let revision, revision != programme.revision {
                throw Refusal(revision: revision, of: "revision", is: programme.revision)
            }
            try check(new)
            let old = programme.currentEntry
            programme.replace(new, at: batch.now.date)
            putUpEdited(old)
        case .go(let selector, let isStarted): try go(selector, isStarted: isStarted, into: &batch)
        case .skip(let selector): try programme.skip(selector)
        }
    }

    /// Puts up the times of the current entry again after it was edited, or takes down those of one that is gone.
    private mutating func putUpEdited(_ old: Programme.Entry?) {
        guard timer.player.mode == .stopped, var prepared = timer.player.prepared, let old,
            old.start != nil || old.until != nil
        else { return }
        guard let entry = programme.currentEntry, entry.start != nil || entry.until != nil else {
            return timer.player.putUp(nil)
        }
        // What is left until a time of day is put up by the start.
        prepared.name = entry.title
        timer.player.putUp((try? entry.oneOff) ?? prepared)
    }

    /// Checks that each entry has an existing timer.
    private func check(_ new: Programme) throws(Refusal) {
        let model = timer.player.model
        for (index, entry) in new.entries.enumerated() {
            guard let selector = entry.timer else { continue }
            do throws(Refusal) { _ = try model.path(selector: selector) } catch {
                let all = model.paths.map { model.selector(of: $0) }.listed(upTo: 12)
                throw Refusal(
                    .notFound, "field entries[\(index + 1)].timer: \(error.message); the timers are \(all)")
            }
        }
    }

    /// Makes an entry the current one: selects its timer or puts up its times, and sets the speaker.
    private mutating func go(
        _ selector: EntrySelector, isStarted: Bool, into batch: inout EffectBatch
    ) throws(Refusal) {
        let now = batch.now.instant
        let index = try programme.index(selector)
        let entry = programme.entries[index]
        let before = beforeCommand
        var clockEnd: ClockEnd?
        var oneOff = try? entry.oneOff
        if let until = entry.until {
            if isStarted { try checkClock(at: batch.now) }
            (oneOff, clockEnd) = try self.oneOff(of: entry, until: until, at: batch.now)
        }
        let steps = try timer.act(at: now) { (player) throws(Refusal) in
            var next = player
            var events = try next.prepare(entry, oneOff, at: now)
            if isStarted { events += try next.start(entry, at: now) }
            player = next
            return events
        }
        tell(steps, into: &batch)
        if isStarted { timer.clock = clockEnd?.beginning(in: timer.player.mode) }
        followClock(into: &batch)
        programme.begin(index, at: batch.now.date)
        talk.speaker = entry.speaker
        _ = programme.follow([], timer.player, run: timer.runID, at: batch.now)
        noteUndo(of: .entry, before, steps, at: now)
    }
}

extension TimerPlayer {
    /// Selects the timer of an entry or puts up its times; what runs is stopped.
    fileprivate mutating func prepare(
        _ entry: Programme.Entry, _ oneOff: OneOff?, at now: Instant
    ) throws(Refusal) -> [Event] {
        let path = try entry.timer.map { (text) throws(Refusal) in try model.path(selector: text) } ?? model.selected
        return try Refusal.of(try prepare(oneOff, for: path, at: now))
    }

    fileprivate mutating func start(_ entry: Programme.Entry, at now: Instant) throws(Refusal) -> [Event] {
        guard entry.isTimed else {
            throw Refusal(.notAllowed, "\(entry.title.quoted) has neither a timer nor times that could be started")
        }
        return try Refusal.of(try start(at: now))
    }
}
