#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// A player that mirrors the player of another machine, on the local clock.
extension TimerPlayer {
    /// Creates a player at the position of another machine's player.
    ///
    /// - Parameters:
    ///   - model: The timers and the selection of the other player.
    ///   - position: The position of its countdown, on this clock.
    ///   - oneOff: Its one-off run; nil for an ordinary run.
    ///   - lastRun: Its last run that ended.
    ///   - used: How long its current run had lasted at that time; nil if unknown.
    ///   - reserve: What its next start counts down from while it is stopped; nil for the starting time.
    ///   - then: The time at which it was at that position, on this clock.
    package init(
        mirroring model: TimerModel, at position: TimerEngine.Countdown.Position, oneOff: OneOff?, lastRun: Run?,
        used: Duration?, reserve: Duration? = nil, then: TimerEngine.Instant
    ) {
        self.init(model)
        self.oneOff = position == .stopped ? nil : oneOff
        self.lastRun = lastRun
        countdown = TimerEngine.Countdown(
            self.oneOff?.thresholds ?? model.selectedTimer.thresholds, mirroring: position, used: used, then: then)
        if position == .stopped { countdown.reserve = reserve }
    }

    /// Returns whether a display looks the same for both players: the same timer, mode and second.
    package func shows(theSameAs other: TimerPlayer) -> Bool {
        model.selected == other.model.selected && model.selectedTimer.id == other.model.selectedTimer.id
            && mode == other.mode && countdown.ticked == other.countdown.ticked
    }
}

extension TimerEngine.Countdown {
    /// The position of a countdown.
    package enum Position: Hashable, Sendable {
        case stopped
        /// Reaches zero at this instant.
        case running(zero: Instant)
        /// Paused with this much time left, above 0.
        case paused(remaining: Duration)
        /// At zero since this instant.
        case alarm(since: Instant)
    }

    /// Creates a countdown at the position of another machine's countdown. If the duration of its run is unknown, the
    /// run is assumed never to have been paused.
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
    /// Restores a saved player. ``advance(to:)`` then reports everything that has fallen due since.
    ///
    /// - Throws: ``PlayerError/notAPlayer(_:)`` for values that no player can have.
    package init(
        _ model: TimerModel, _ snapshot: TimerEngine.Countdown.Snapshot, oneOff: OneOff?, prepared: OneOff? = nil,
        lastRun: Run?, accounts: [UUID: Account] = [:]
    ) throws(PlayerError) {
        do throws(TimerEngine.CountdownError) {
            countdown = try TimerEngine.Countdown(snapshot)
        } catch { throw .countdown(error) }
        (self.model, self.oneOff, self.prepared, self.lastRun) = (model, oneOff, prepared, lastRun)
        self.accounts = accounts
        guard countdown.thresholds == oneOff?.thresholds ?? startingThresholds else {
            throw .notAPlayer("its countdown is not the selected timer's")
        }
        guard oneOff == nil || countdown.mode != .stopped else { throw .notAPlayer("a one-off run that is stopped") }
        guard oneOff == nil || countdown.thresholds.start > 0 else { throw .notAPlayer("a one-off run of 0 s") }
        if let run = lastRun, run.over < .zero || run.over > run.used {
            throw .notAPlayer("a run of \(run.used), \(run.over) of it alarm time")
        }
    }

    /// A copy without the last second reported. It stays equal while only seconds pass.
    package var withoutTick: Self {
        var withoutTick = self
        withoutTick.countdown = countdown.withoutTick
        return withoutTick
    }
}
