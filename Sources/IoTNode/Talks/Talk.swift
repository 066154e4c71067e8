internal import BrokerLink
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The current talk: the speaker, the message to the speaker, and the lock.
struct Talk: Hashable, Sendable {
    /// The speaker in the current or next run.
    var speaker: String?
    /// The scope of the lock; nil if nothing is locked.
    var locked: LockLevel?
    private(set) var message: Shown?
    /// The timer that was selected last.
    private var timer: UUID

    init(_ model: TimerModel) { timer = model.selectedTimer.id }

    /// A message that is shown to the speaker.
    struct Shown: Hashable, Sendable {
        var text = ""
        var at = Instant()
        var until: Instant?
        var attention = false
        var keep = false

        func payload(at now: Moment) -> ShownMessage {
            ShownMessage(
                text: text, date: now.date(of: at), until: until.map { now.date(of: $0) }, attention: attention)
        }
    }

    /// When the message expires.
    var nextInstant: Instant? { message?.until }
}

extension Talk.Shown: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("text", &text, .message, "The text shown to the speaker.")
        try visitor.field("at", &at, "When it was first shown.")
        try visitor.field("until", &until, .omitted, "When it expires.")
        try visitor.field("attention", &attention, "Whether it asks for attention.")
        try visitor.field("keep", &keep, "Whether it stays when the timer is stopped.")
    }
}

// MARK: - What happens

extension Talk {
    /// Resumes from a saved state.
    mutating func restore(_ state: SavedNodeState, isSameBoot: Bool) {
        speaker = state.speaker
        locked = state.locked
        message = isSameBoot ? state.message : nil
        timer = state.player.model.selectedTimer.id
    }

    mutating func restore(speaker: String?, timer: UUID) { (self.speaker, self.timer) = (speaker, timer) }

    /// Updates the talk after the timer's steps. The speaker stays for the rest of a sequence, when the same timer is
    /// started again, and after an accidental run. Otherwise the end of a run ends the talk, as does selecting another
    /// timer.
    mutating func follow(_ steps: [RunningTimer.Step], _ player: TimerPlayer) {
        for step in steps {
            switch step.event {
            case .movedOn(_, let next, _): timer = player.model[next]?.id ?? timer
            case .modeChanged(_, to: .stopped, _): stopped()
            case .modeChanged, .tick, .runEnded: break
            }
        }
        // This is the last run that ended, unless the sequence moved on from it.
        let last = steps.last { $0.ended != nil || $0.event.isMove }
        let selected = player.model.selectedTimer.id
        let isOver = last?.ended?.isAccidental == false && player.mode == .stopped
        if selected != timer || isOver { speaker = nil }
        timer = selected
    }

    /// Shows a message, or removes the current one.
    mutating func show(_ message: MessageToSpeaker?, at now: Instant) {
        self.message = message.map {
            Shown(
                text: $0.text, at: now, until: $0.duration.map { now + .seconds($0) }, attention: $0.attention,
                keep: $0.keep)
        }
    }

    /// Shows another node's message.
    mutating func mirror(_ message: Shown?) { self.message = message }

    /// Removes the message when the timer was stopped or received `stop`, unless the message is kept.
    mutating func stopped() {
        if message?.keep == false { message = nil }
    }

    /// Removes the message once it has expired.
    mutating func advance(to now: Instant) {
        if let until = message?.until, until <= now { message = nil }
    }
}

// MARK: - The lock

extension Talk {
    /// Whether a button or a remote may execute this command.
    func admits(input command: Command) -> Bool {
        locked == nil || command == .signal(.silence) || command == .talk(.unlock)
    }

    /// Returns why a command is refused; nil if it is not.
    func refusal(of command: Command) -> Refusal? {
        guard locked == .commands, !command.verb.worksLocked else { return nil }
        return Refusal(.locked, "\(command.verb.rawValue) is refused while the node is locked; unlock it first")
    }
}

extension TimerPlayer.Event {
    fileprivate var isMove: Bool {
        if case .movedOn = self { true } else { false }
    }
}

/// The talk commands.
extension NodeCore {
    mutating func change(_ command: TalkCommand, into batch: inout EffectBatch) {
        let now = batch.now.instant
        switch command {
        case .speaker(let name): talk.speaker = name
        case .message(let message):
            changeMessage(into: &batch) { $0.show(message, at: now) }
            if message?.attention == true { outputs.attract(at: now) }
        case .lock(let level): talk.locked = level
        case .unlock: talk.locked = nil
        }
    }

    /// Changes the message to the speaker, and publishes the change.
    mutating func changeMessage(into batch: inout EffectBatch, _ change: (inout Talk) -> Void) {
        let before = talk.message
        change(&talk)
        reports.messageChanged(from: before, to: talk.message, timer, into: &batch)
    }

    /// - Returns: the requested page; nil for the other commands.
    mutating func report(
        _ command: RunsCommand, into batch: inout EffectBatch
    ) throws(Refusal) -> Response.RunsPage? {
        switch command {
        case .page(let number):
            guard let page = history.page(number) else {
                throw Refusal(.notFound, "there is no page \(number): there are \(history.message.total) runs")
            }
            return page
        case .amend(let run, let amendment):
            guard history.amend(run, amendment) else {
                throw Refusal(.notFound, "there is no run with the id \(run.uuidString.lowercased())")
            }
        case .clear:
            guard persistence.canSetEditsAside else {
                throw Refusal(
                    .notAllowed, "clear_runs must wait: earlier files have not been set aside on disk yet")
            }
            if !history.runs.isEmpty {
                persistence.setRunsAside(because: "the runs were cleared", at: batch.now)
                history.removeAll()
            }
        }
        return nil
    }
}
