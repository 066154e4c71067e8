#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// Corrections: what really happened differs from what the calls said.
extension TimerPlayer {
    /// The selection and its run, without the timers: what a player needs to bring the run back.
    package struct RunState: Hashable, Sendable {
        /// The id of the selected timer.
        package var timer: UUID
        /// The countdown of that timer.
        package var countdown: TimerEngine.Countdown
        /// The settings of a one-off run.
        package var oneOff: OneOff?
        /// The settings that each start uses instead of the timer's.
        package var prepared: OneOff?
        /// The last run that ended before.
        package var lastRun: Run?
        /// The accounts.
        package var accounts: [UUID: Account] = [:]

        package init(timer: UUID, countdown: TimerEngine.Countdown) {
            (self.timer, self.countdown) = (timer, countdown)
        }
    }

    /// The selection and its run.
    package var runState: RunState {
        var state = RunState(timer: model.selectedTimer.id, countdown: countdown)
        (state.oneOff, state.prepared, state.lastRun, state.accounts) = (oneOff, prepared, lastRun, accounts)
        return state
    }

    /// Brings a run back. The timers stay as they are; if the run's timer was edited since, its new times apply.
    /// ``advance(to:)`` then reports everything that has fallen due since.
    ///
    /// - Returns: Whether the run's timer still exists; if not, nothing changes.
    package mutating func bringBack(_ run: RunState) -> Bool {
        guard let path = model.path(of: run.timer) else { return false }
        model.selected = path
        (countdown, oneOff, prepared, lastRun) = (run.countdown, run.oneOff, run.prepared, run.lastRun)
        accounts = run.accounts.filter { model.path(of: $0.key) != nil }
        return true
    }

    /// Applies the times of the selected timer, which may have been edited while its run was not the current one.
    package mutating func adoptThresholds(at now: Instant) -> [Event] {
        let thresholds = model.selectedTimer.thresholds
        guard oneOff == nil, countdown.thresholds != thresholds else { return [] }
        return runCountdown(at: now) { $0.setThresholds(thresholds, at: now) }
    }

    /// Moves the instant at which the timer reaches zero. Does nothing while stopped or paused; the sequence does not
    /// continue.
    package mutating func moveZero(to zero: Instant, at now: Instant) -> [Event] {
        countdown.moveZero(to: zero, at: now).map(Event.init)
    }

    /// Puts up other times for the selected timer, which must be stopped; nil for its own.
    package mutating func putUp(_ oneOff: OneOff?) {
        prepared = oneOff
        if countdown.mode == .stopped { countdown = freshCountdown }
    }

    /// The mode that would be shown with this much time left.
    package func mode(withLeft left: Duration) -> TimerEngine.Mode {
        countdown.thresholds.mode(showing: left.shownSeconds)
    }

    /// Turns the player back to an earlier instant, so that a call can be made at that instant.
    ///
    /// - Parameters:
    ///   - began: when the run began; nil while stopped.
    ///   - modeSince: when the mode began; nil if unknown.
    package mutating func turnBack(to then: Instant, began: Instant?, modeSince: Instant?) {
        guard let began else { return }
        countdown = countdown.asOf(then, began: began, pausedSince: mode.isPaused ? modeSince : nil)
    }

    /// Moves the beginning of the current run; the sequence continues if the run would have reached zero by now.
    ///
    /// - Parameters:
    ///   - began: the new beginning.
    ///   - old: the beginning so far.
    ///   - isEndedByCall: whether the alarm was raised by a call before the time was over.
    ///   - pausedSince: when the current pause began; nil unless paused.
    package mutating func moveBeginning(
        to began: Instant, from old: Instant, isEndedByCall: Bool, pausedSince: Instant?, at now: Instant
    ) -> [Event] {
        let then = pausedSince ?? now
        var events = runCountdown(at: then) {
            $0.moveBeginning(to: began, from: old, isEndedByCall: isEndedByCall, at: then)
        }
        guard pausedSince != nil else { return events }
        if let paused = try? countdown.pause(at: then) {
            events += paused.map(Event.init)
        } else {
            // The time was over before the pause, and an alarm cannot be paused: it continues now.
            countdown.shift(by: then.duration(to: now))
        }
        return events
    }
}
