internal import BrokerLink
internal import Calendar
internal import FoundationEssentials
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The agenda commands, and the actions performed when a meeting begins.
extension NodeCore {
    /// Performs the agenda actions that are due.
    mutating func followAgenda(into batch: inout EffectBatch) {
        perform(agenda.update(at: batch.now, isStopped: timer.player.mode == .stopped), into: &batch)
        let now = batch.now
        let lead = agenda.lead.map { now.instant + .milliseconds((now.date.distance(to: $0.since) * 1000).rounded()) }
        // The clock is slewed, so that the same date is never at exactly the same instant again.
        if (lead == nil) != (outputs.indicators.leadSince == nil) { outputs.showLead(since: lead) }
        // One request serves all waiting commands.
        let needsOwn =
            configuration.needsOwnZone || !waiting.isEmpty
            || programme.entries.contains { $0.at != nil || $0.until != nil }
        if let names = agenda.zonesToRead(for: waiting.compactMap(\.agenda), needsOwn: needsOwn) {
            batch.questions.append(.readTimeZones(names))
        }
    }

    /// The maximum number of commands that wait for time zones.
    static let maximumWaiting = 8

    /// Returns whether a command has to wait until time zones have been read from the disk.
    ///
    /// Agenda commands are executed in order: while one waits, later ones wait too.
    mutating func waitsForZones(
        _ received: CommandIntake.Received, _ command: Command
    ) throws(Refusal) -> Bool {
        let needsOwn = command.needsOwnZone && agenda.ownZone == nil
        guard command.isAgenda || needsOwn else { return false }
        let needsOther = received.agenda.map { agenda.needsZones(for: $0) } == true
        guard needsOwn || needsOther || (command.isAgenda && !waiting.isEmpty) else { return false }
        guard waiting.count < Self.maximumWaiting else {
            throw Refusal(
                .rateLimited, "\(Self.maximumWaiting) commands, the maximum, are already waiting for time zones")
        }
        waiting.append(received)
        return true
    }

    /// Uses the zones, and resumes the commands that waited for them.
    mutating func timeZonesRead(_ zones: TimeZones, into batch: inout EffectBatch) {
        for fault in zones.faults { batch.log(.warning, fault) }
        agenda.use(zones)
        if let present = agenda.agenda, agenda.calendar == nil {
            do throws(Refusal) { try agenda.check(present) } catch {
                batch.log(.error, "ignoring the agenda: \(error.message)")
            }
        }
        let resumed = waiting
        waiting = []
        // A command that arrived while these zones were being read may need other zones, and waits again.
        for received in resumed { answer(received, into: &batch) }
    }

    mutating func perform(_ actions: [AgendaControl.Action], into batch: inout EffectBatch) {
        for action in actions {
            switch action {
            case .began(let meeting, let date):
                batch.log(.info, "the meeting \(meeting.name.quoted) began")
                reports.meeting(.meetingBegan(meeting), date: date, timer, into: &batch)
            case .ended(let meeting, let date):
                reports.meeting(.meetingEnded(meeting), date: date, timer, into: &batch)
            case .act(let begin, let group): act(begin, group: group - 1, into: &batch)
            case .remind(let meeting, let count):
                reports.meeting(.reminder(meeting, count: count), date: batch.now.date, timer, into: &batch)
                outputs.attract(at: batch.now.instant)
            }
        }
    }

    /// Selects a group or starts it. If the group is already selected, its selected timer is kept.
    private mutating func act(_ begin: Agenda.Meeting.Begin, group: Int, into batch: inout EffectBatch) {
        let (model, now) = (timer.player.model, batch.now.instant)
        guard model.groups.indices.contains(group) else {
            return batch.log(
                .warning, "the meeting uses group \(group + 1), but there are only \(model.groups.count) groups")
        }
        let first = TimerPath(group: group, item: 0)
        let isSelected = model.selected.group == group
        do throws(PlayerError) {
            let steps = try timer.act(at: now) { (player) throws(PlayerError) in
                switch begin {
                case .none: []
                case .select: isSelected ? [] : try player.select(first, at: now)
                case .start: try player.start(isSelected ? model.selected : first, at: now)
                }
            }
            tell(steps, into: &batch)
            if timer.player.mode != .stopped { undo = nil }
        } catch {
            batch.log(.warning, "could not start group \(group + 1) for the meeting: \(error)")
        }
    }

    mutating func follow(_ command: AgendaCommand, into batch: inout EffectBatch) throws(Refusal) {
        switch command {
        case .replace(let new, let revision):
            if let revision, revision != agenda.revision {
                throw Refusal(revision: revision, of: "revision", is: agenda.revision)
            }
            try agenda.check(new)
            agenda.replace(new)
        case .begin(let meeting):
            guard timer.player.mode == .stopped else {
                throw Refusal(
                    .notAllowed, "begin needs a stopped timer; this one is \(ModeName(timer.player.mode).rawValue)")
            }
            perform(try agenda.begin(meeting, at: batch.now), into: &batch)
        }
    }
}

extension Command {
    fileprivate var isAgenda: Bool { if case .agenda = self { true } else { false } }

    /// Whether the command names a time of day.
    fileprivate var needsOwnZone: Bool {
        if case .player(.startUntil(let run, _)) = self, case .time = run.end { true } else { false }
    }
}

extension NodeConfiguration {
    /// Whether a button or a remote may send a command that names a time of day.
    fileprivate var needsOwnZone: Bool {
        gpio.buttons.contains { $0.commands.values.contains { $0.command.needsOwnZone } }
            || remotes.contains { $0.commands.values.contains { $0.command.needsOwnZone } }
    }
}

extension CommandIntake.Received {
    /// The agenda in the command; nil if the command contains none.
    fileprivate var agenda: Agenda? {
        guard case .success(.agenda(.replace(let agenda, _))) = command else { return nil }
        return agenda
    }
}

/// The agenda state that outlives the process.
struct SavedAgenda: Hashable, Sendable {
    var revision = 0
    /// The configuration's agenda. If it has changed since, the new one is used.
    var configured: Agenda?
    var edited: Agenda?
    var begun: [StartedMeeting] = []
    var reminder: Reminder?
}

extension SavedAgenda: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("revision", &revision, .counts, "How many times the agenda has been changed.")
        try visitor.field("configured", &configured, .omitted, "The agenda in the configuration at that time.")
        try visitor.field("edited", &edited, .omitted, "The agenda, if it was edited.")
        try visitor.field("begun", &begun, ListBounds(()), "The meetings that have begun.")
        try visitor.field("reminder", &reminder, .omitted, "The reminder for a meeting that has not been started.")
    }

    /// Whether a node can have saved these values at an instant.
    func isPossible(at instant: Instant) -> Bool {
        let longest = Duration.seconds(Agenda.reminders.upperBound)
        return reminder.map { (instant - longest...instant + longest).contains($0.next) } ?? true
    }
}

extension StartedMeeting: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .name, "The meeting's name.")
        try visitor.savedDate("begin", &begin, "When it was scheduled to begin.")
        try visitor.savedDate("end", &end, "When it is scheduled to end.")
        try visitor.savedDate("began_at", &beganAt, "When it began.")
        try visitor.field(
            "index", &index, -1...Agenda.maximumMeetings - 1,
            "Its index in the agenda, from 0; -1 if it was removed.")
        try visitor.field("has_ended", &hasEnded, "Whether its end was published.")
    }
}

extension Reminder: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("meeting", &meeting, .name, "The meeting's name.")
        try visitor.savedDate("end", &end, "When it ends.")
        try visitor.field("next", &next, "When the next reminder is due.")
        try visitor.field("count", &count, 0...Self.limit, "How many reminders have been published.")
    }
}
