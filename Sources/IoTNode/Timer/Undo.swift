internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The last command that ended, replaced or reset a run, with everything that brings the run back.
struct Undo: Hashable, Sendable {
    /// How long a command can be undone.
    static let time: Duration = .seconds(15)

    var command = Verb.stop
    /// When the command can no longer be undone.
    var until = Instant()
    /// The timer before the command.
    @Boxed var run = RunningTimer.Run()
    /// The speaker, the message and the silence before the command.
    var speaker: String?
    var message: Talk.Shown?
    var silencedAt: Instant?
    /// The runs that have ended with the command and since. Their records are withdrawn.
    var ended: [UUID] = []
    /// What was different in the running order; nil if nothing was.
    var programme: ProgrammeControl.Before?
}

extension Undo: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var name = command.rawValue
        try visitor.field("command", &name, .plain, "The command.")
        command = Verb(rawValue: name) ?? command
        try visitor.field("until", &until, "When it can no longer be undone.")
        try visitor.field("run", &run, "The run before the command.")
        try visitor.field("speaker", &speaker, .plain, .omitted, "The speaker at that time.")
        try visitor.field("message", &message, .omitted, "The message to the speaker at that time.")
        try visitor.field("silenced_at", &silencedAt, .omitted, "When the buzzer had been silenced.")
        try visitor.field("ended", &ended, ListBounds(()), "The runs that have ended since.")
        try visitor.field("programme", &programme, .omitted, "What was different in the running order.")
    }

    /// Whether a node can have saved these values at an instant. Arithmetic with invalid times would overflow.
    func isPossible(at: Instant) -> Bool {
        let countdown = run.state.countdown
        let past: [Instant?] = [
            run.startedAt, run.modeSince, run.lastEndedAt, message?.at, silencedAt, countdown.alarmedSince,
        ]
        let lengths: [Duration?] = [
            countdown.used(at: at), countdown.over(at: at), run.state.lastRun?.used, run.added,
        ]
        // A node that is shutting down saves a command that can no longer be undone.
        guard until <= at + Self.time else { return false }
        guard past.allSatisfy({ $0.map { $0 <= at } ?? true }) else { return false }
        return lengths.allSatisfy { $0.map { .zero - .longest <= $0 && $0 <= .longest } ?? true }
    }
}

extension Talk {
    /// Restores the speaker of a run that is brought back, and its message unless another one is shown.
    mutating func bringBack(_ undo: Undo, at now: Instant) {
        restore(speaker: undo.speaker, timer: undo.run.state.timer)
        if message == nil { mirror(undo.message) }
        advance(to: now)
    }
}
