internal import BrokerLink
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

// Commands that correct the past.
extension NodeCore {
    /// The longest time by which a run can be dated back.
    private static let longestAgo: Duration = .seconds(RunBeginning.longest)

    /// Returns the instant at which a run began.
    func instant(of beginning: RunBeginning, at now: Moment) throws(Refusal) -> Instant {
        switch beginning {
        case .ago(let seconds): return now.instant - .seconds(seconds)
        case .at(let date):
            // Dates are published to the millisecond.
            let ago = Duration.milliseconds((date.distance(to: now.date) * 1000).rounded())
            let found = "found \(Timestamp.text(date))"
            guard ago >= .zero else { throw Refusal(.invalidPayload, "field \"at\": \(found), expected a past date") }
            guard ago <= Self.longestAgo else {
                throw Refusal(.invalidPayload, "field \"at\": \(found), expected a date within the last 24 hours")
            }
            return now.instant - ago
        case .lastEnd:
            guard let end = timer.lastEndedAt else {
                throw Refusal(.notAllowed, "\"since\":\"last_end\" needs a run that has ended; there is none")
            }
            guard end.duration(to: now.instant) <= Self.longestAgo else {
                throw Refusal(.notAllowed, "the last run ended more than 24 hours ago")
            }
            return end
        }
    }

    mutating func correct(_ command: CorrectionCommand, into batch: inout EffectBatch) throws(Refusal) {
        let now = batch.now
        switch command {
        case .began(let beginning):
            let began = try instant(of: beginning, at: now)
            guard timer.player.mode != .stopped else {
                throw Refusal(.notAllowed, "began needs a run; the timer is stopped")
            }
            tell(timer.moveBeginning(to: began, zero: timer.clock?.zero(at: now), at: now.instant), into: &batch)
            undo = nil
        case .undo:
            guard let undo = presentUndo, let correction = timer.bringBack(undo.run, at: now.instant) else {
                let seconds = Undo.time.components.seconds
                throw Refusal(
                    .notAllowed, "there is nothing to undo; a run can be brought back within \(seconds) s of its end")
            }
            self.undo = nil
            history.remove(undo.ended)
            undo.programme.map { programme.bringBack($0) }
            for id in undo.ended { reports.runUndone(id, timer, into: &batch) }
            changeMessage(into: &batch) { $0.bringBack(undo, at: now.instant) }
            tell(correction, into: &batch)
            if let silencedAt = undo.silencedAt, timer.modeSince == undo.run.modeSince {
                outputs.silence(at: silencedAt)
            }
        }
    }

    /// The command that can be undone now, or nil if there is none, or if the timer of its run was removed.
    var presentUndo: Undo? {
        undo.flatMap { timer.player.model.path(of: $0.run.state.timer) == nil ? nil : $0 }
    }

    /// Records that a command can be undone, if it ended, replaced or reset a run.
    ///
    /// - Parameters:
    ///   - before: the state before the command.
    ///   - steps: what the command did.
    mutating func noteUndo(
        of verb: Verb, _ before: BeforeCommand, _ steps: [RunningTimer.Step], at now: Instant
    ) {
        let mode = before.timer.player.mode
        let isEnded = before.timer.runID != timer.runID || (mode != .alarm && timer.player.mode == .alarm)
        if verb.isUndoable, mode != .stopped, isEnded {
            undo = Undo(
                command: verb, until: now + Undo.time, run: before.timer.run,
                speaker: before.talk.speaker, message: before.talk.message, silencedAt: before.silencedAt,
                ended: steps.compactMap { $0.ended?.id }, programme: programme.difference(to: before.programme))
        } else if timer.player.mode != .stopped {
            // There is another run now, or the same one was changed.
            undo = nil
        }
    }

    /// Tells every component about a correction.
    ///
    /// - Parameter speaker: the speaker that a late command names; nil if it names none.
    mutating func tell(
        _ correction: RunningTimer.Correction, speaker: String? = nil, into batch: inout EffectBatch
    ) {
        let player = timer.player
        var records = record(correction.command, correction.commanded ?? player, at: batch.now)
        if let commanded = correction.commanded {
            changeMessage(into: &batch) { $0.follow(correction.command, commanded) }
        }
        if let speaker { talk.speaker = speaker }
        records += record(correction.since, player, at: batch.now)
        changeMessage(into: &batch) { $0.follow(correction.since, player) }
        reports.timesCorrected()
        outputs.correct(player, since: timer.modeSince, at: batch.now.instant)
        let ended = zip(correction.command + correction.since, records).filter { $0.0.ended != nil }.map(\.1)
        reports.publish(
            correction.published, ended + correction.visible.map { _ in nil }, into: &batch)
    }
}

extension NodeCore {
    /// What a command may change and `undo` restores.
    struct BeforeCommand: Sendable {
        fileprivate let timer: RunningTimer
        fileprivate let talk: Talk
        fileprivate let silencedAt: Instant?
        fileprivate let programme: ProgrammeControl
    }

    var beforeCommand: BeforeCommand {
        BeforeCommand(timer: timer, talk: talk, silencedAt: outputs.indicators.silencedAt, programme: programme)
    }
}

extension Verb {
    /// Whether the command is one that a person may want to undo, if it ends a run.
    fileprivate var isUndoable: Bool {
        switch self {
        case .start, .stop, .end, .toggle, .rewind, .fastForward, .next, .previous, .select, .switch, .entry: true
        default: false
        }
    }
}
