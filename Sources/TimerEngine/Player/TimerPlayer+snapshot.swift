extension TimerPlayer {
    /// The player that was saved; ``advance(to:)`` then reports what fell due since.
    ///
    /// - Throws: ``PlayerError/notAPlayer(_:)`` for values that no player can have.
    package init(
        _ model: TimerModel, _ snapshot: TimerEngine.Countdown.Snapshot, oneOff: OneOff?, lastRun: Run?
    ) throws(PlayerError) {
        do throws(TimerEngine.CountdownError) {
            countdown = try TimerEngine.Countdown(snapshot)
        } catch { throw .countdown(error) }
        (self.model, self.oneOff, self.lastRun) = (model, oneOff, lastRun)
        guard countdown.thresholds == oneOff?.thresholds ?? model.selectedTimer.thresholds else {
            throw .notAPlayer("its countdown is not the selected timer's")
        }
        guard oneOff == nil || countdown.mode != .stopped else { throw .notAPlayer("a single run that is stopped") }
        guard oneOff == nil || countdown.thresholds.start > 0 else { throw .notAPlayer("a single run of no time") }
        if let run = lastRun, run.over < .zero || run.over > run.used {
            throw .notAPlayer("a run of \(run.used), \(run.over) of it in alarm")
        }
    }

    /// The player as it stays while only seconds pass.
    package var timeless: Self {
        var timeless = self
        timeless.countdown = countdown.timeless
        return timeless
    }
}
