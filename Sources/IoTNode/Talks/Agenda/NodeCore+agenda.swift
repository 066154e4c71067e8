internal import BrokerLink
internal import Calendar
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The agenda's commands, and what follows when a meeting begins.
extension NodeCore {
    /// Does what is due by the agenda.
    mutating func followAgenda(into batch: inout EffectBatch) {
        perform(agenda.update(at: batch.now, isStopped: timer.player.mode == .stopped), into: &batch)
        // Once for all that wait.
        if let names = agenda.zonesToRead(for: waiting.compactMap(\.agenda)) {
            batch.questions.append(.readTimeZones(names))
        }
    }

    /// The most commands that wait for time zones.
    static let maximumWaiting = 8

    /// Whether a command has to wait until time zones were read, which are a matter of the disk.
    ///
    /// The commands of the agenda keep their order: while one waits, those that come after it wait too.
    mutating func waitsForZones(
        _ received: CommandIntake.Received, _ command: Command
    ) throws(Refusal) -> Bool {
        guard case .agenda = command else { return false }
        guard !waiting.isEmpty || received.agenda.map({ agenda.needsZones(for: $0) }) == true else { return false }
        guard waiting.count < Self.maximumWaiting else {
            throw Refusal(
                .rateLimited, "\(Self.maximumWaiting) commands wait for time zones to be read, which is as many as may")
        }
        waiting.append(received)
        return true
    }

    /// Goes on with what has waited for the zones.
    mutating func timeZonesRead(_ zones: TimeZones, into batch: inout EffectBatch) {
        for fault in zones.faults { batch.log(.warning, fault) }
        agenda.use(zones)
        if let present = agenda.agenda, agenda.calendar == nil {
            do throws(Refusal) { try agenda.check(present) } catch {
                batch.log(.error, "the agenda is not followed: \(error.message)")
            }
        }
        let resumed = waiting
        waiting = []
        // What came while these zones were being read may need others, and waits again.
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

    /// Selects a group, or starts it. A group that is selected already is left as it is.
    private mutating func act(_ begin: Agenda.Meeting.Begin, group: Int, into batch: inout EffectBatch) {
        let (model, now) = (timer.player.model, batch.now.instant)
        guard model.groups.indices.contains(group) else {
            return batch.log(.warning, "the meeting has the group \(group + 1), and there are \(model.groups.count)")
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
        } catch {
            batch.log(.warning, "the meeting's group \(group + 1) was not started: \(error)")
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

extension CommandIntake.Received {
    /// The agenda that the command brings; nil for any other command.
    fileprivate var agenda: Agenda? {
        guard case .success(.agenda(.replace(let agenda, _))) = command else { return nil }
        return agenda
    }
}

/// What of the agenda outlives the process.
struct SavedAgenda: Hashable, Sendable {
    var revision = 0
    /// If the configuration has another one now, that one is used.
    var configured: Agenda?
    var edited: Agenda?
    var begun: [BegunMeeting] = []
    var reminder: Reminder?
}

extension SavedAgenda: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("revision", &revision, .counts, "How often the agenda was changed.")
        try visitor.field("configured", &configured, .omitted, "The agenda of the configuration at that time.")
        try visitor.field("edited", &edited, .omitted, "The agenda, where it was edited.")
        try visitor.field("begun", &begun, ListBounds(()), "The meetings that have begun.")
        try visitor.field("reminder", &reminder, .omitted, "The reminder of a meeting that nobody has started.")
    }

    /// Whether a node can have saved it at an instant.
    func isPossible(at instant: Instant) -> Bool {
        let longest = Duration.seconds(Agenda.reminders.upperBound)
        return reminder.map { (instant - longest...instant + longest).contains($0.next) } ?? true
    }
}

extension BegunMeeting: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("name", &name, .name, "The meeting's name.")
        try visitor.savedDate("begin", &begin, "When it was to begin.")
        try visitor.savedDate("end", &end, "When it is to end.")
        try visitor.savedDate("began_at", &beganAt, "When it began.")
        try visitor.field(
            "index", &index, -1...Agenda.maximumMeetings - 1,
            "Its place in the agenda, from 0; -1 where it was taken away.")
        try visitor.field("has_ended", &hasEnded, "Whether its end was told.")
    }
}

extension Reminder: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("meeting", &meeting, .name, "The meeting's name.")
        try visitor.savedDate("end", &end, "When it ends.")
        try visitor.field("next", &next, "When the next reminder is due.")
        try visitor.field("count", &count, 0...Self.limit, "How many there were.")
    }
}
