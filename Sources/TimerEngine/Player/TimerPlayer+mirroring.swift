// A player that shows what another machine's player does, on this machine's clock.
extension TimerPlayer {
    /// A player that is where another one was.
    ///
    /// - Parameters:
    ///   - model: the other one's timers and selection.
    ///   - position: where its countdown was, on this clock.
    ///   - oneOff: its one-off run; nil for an ordinary run.
    ///   - lastRun: its last run that ended.
    ///   - used: how long its run had taken then; nil where that is not known.
    ///   - then: when it was there, on this clock.
    package init(
        mirroring model: TimerModel, at position: TimerEngine.Countdown.Position, oneOff: OneOff?, lastRun: Run?,
        used: Duration?, then: TimerEngine.Instant
    ) {
        self.init(model)
        self.oneOff = position == .stopped ? nil : oneOff
        self.lastRun = lastRun
        countdown = TimerEngine.Countdown(
            self.oneOff?.thresholds ?? model.selectedTimer.thresholds, mirroring: position, used: used, then: then)
    }

    /// Whether a display shows the same of both: timer, mode and second.
    package func shows(theSameAs other: TimerPlayer) -> Bool {
        model.selected == other.model.selected && model.selectedTimer.id == other.model.selectedTimer.id
            && mode == other.mode && countdown.ticked == other.countdown.ticked
    }
}

extension TimerEngine.Countdown {
    /// Where a countdown is.
    package enum Position: Hashable, Sendable {
        case stopped
        /// Reaches zero at this instant.
        case running(zero: Instant)
        /// Has this much left, above 0.
        case paused(remaining: Duration)
        /// At zero since this instant.
        case alarm(since: Instant)
    }

    /// A countdown that is where another machine's was. Where it is not known how long its run had taken, it counts as if
    /// it had never been paused.
    fileprivate init(_ thresholds: TimerEngine.Thresholds, mirroring position: Position, used: Duration?, then: Instant)
    {
        self.init(thresholds)
        let start = Duration.seconds(thresholds.start)
        switch position {
        case .stopped: break
        case .running(let zero):
            let ticked = max(1, then.duration(to: zero).shownSeconds)
            usedTime.run(from: used.map { then - $0 } ?? zero - max(start, .seconds(ticked)))
            state = .running(zero: zero, ticked: ticked)
        case .paused(let remaining):
            usedTime.run(from: then - (used ?? max(.zero, start - remaining)))
            enter(.paused(remaining: remaining), at: then)
        case .alarm(let since):
            usedTime.run(from: used.map { then - $0 } ?? since - start)
            enter(.alarm(since: since), at: since)
        }
    }
}

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
