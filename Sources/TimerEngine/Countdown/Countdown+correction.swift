// Corrections: what really happened differs from what the calls said.
extension TimerEngine.Countdown {
    /// Returns the countdown as it was at an earlier instant, as far as is known: it keeps the length of its last
    /// stretch, but not when earlier pauses began and ended.
    ///
    /// - Parameters:
    ///   - began: when the run began.
    ///   - pausedSince: when the current pause began; nil unless paused.
    package func asOf(_ then: Instant, began: Instant, pausedSince: Instant?) -> Self {
        var earlier = self
        let zero: Instant
        switch state {
        case .stopped: return self
        case .running(let end, _): zero = end
        case .alarm(let since): zero = since
        case .paused(let remaining):
            guard let pausedSince, then < pausedSince else { return self }
            zero = pausedSince + remaining
            earlier.usedTime.limitEarlierTime(to: max(.zero, usedTime.before - then.duration(to: pausedSince)))
        }
        if let since = usedTime.since, then < since {
            // It was paused at that time, or had not begun yet.
            earlier.usedTime.since = nil
            earlier.usedTime.limitEarlierTime(to: max(.zero, began.duration(to: then)))
        }
        if let since = overTime.since, then < since { earlier.overTime.since = nil }
        earlier.overTime.limitEarlierTime(to: earlier.usedTime.elapsed(at: then))
        let left = then.duration(to: zero)
        if left > .zero { earlier.state = .running(zero: zero, ticked: left.shownSeconds) }
        return earlier
    }

    /// Moves the beginning of the run. Pauses and added time stay; the time left follows. A run that was ended by a
    /// call stays ended.
    ///
    /// - Parameters:
    ///   - began: the new beginning.
    ///   - old: the beginning so far.
    ///   - isEndedByCall: whether the alarm was raised by a call before the time was over.
    ///   - now: the current instant; for a pause, its beginning. The run is not paused afterwards.
    mutating func moveBeginning(
        to began: Instant, from old: Instant, isEndedByCall: Bool, at now: Instant
    ) -> [Event] {
        let used = usedTime.elapsed(at: now)
        moveStopwatch(to: began, from: old)
        let gained = usedTime.elapsed(at: now) - used
        var left: Duration
        switch state {
        case .stopped: return []
        case .alarm(let since) where isEndedByCall:
            state = .alarm(since: max(since, began))
            overTime.since = max(since, began)
            overTime.limitEarlierTime(to: usedTime.elapsed(at: max(since, began)))
            return []
        case .running(let zero, _): left = now.duration(to: zero)
        case .paused(let remaining): left = remaining
        case .alarm(let since): left = now.duration(to: since)
        }
        left = min(left - gained, .seconds(TimerEngine.Thresholds.longest))
        let zero = now + left
        // If the run reached zero before its last pause ended, its time is counted without that pause.
        if usedTime.since.map({ zero < $0 }) ?? true {
            usedTime.since = now - usedTime.elapsed(at: now)
            usedTime.before = .zero
        }
        overTime.since = nil
        overTime.limitEarlierTime(to: min(usedTime.elapsed(at: now), usedTime.elapsed(at: zero)))
        state = .running(zero: zero, ticked: max(1, left.shownSeconds))
        return advance(to: now)
    }

    private mutating func moveStopwatch(to began: Instant, from old: Instant) {
        if let since = usedTime.since, since <= max(began, old) {
            // It was not paused after its beginning.
            usedTime.before = .zero
            usedTime.since = began
        } else {
            usedTime.before = max(.zero, usedTime.before + began.duration(to: old))
        }
    }

    /// Moves the instant at which the countdown reaches zero; after the alarm, it may run again. Does nothing while
    /// stopped or paused.
    mutating func moveZero(to zero: Instant, at now: Instant) -> [Event] {
        let (from, second) = (mode, shownSeconds(at: now))
        switch state {
        case .stopped, .paused: return []
        case .running, .alarm: break
        }
        let left = now.duration(to: zero)
        if left > .zero {
            enter(.running(zero: zero, ticked: left.shownSeconds), at: now)
        } else {
            // No alarm began before its run.
            let since = max(zero, usedTime.since ?? zero)
            overTime = Stopwatch()
            enter(.alarm(since: since), at: since)
        }
        var events: [Event] = []
        if left.shownSeconds != second { events.append(.tick(left.shownSeconds, at: now)) }
        if from != mode { events.append(.transition(from: from, to: mode, at: now)) }
        return events
    }

    /// When the current mode began, if only the passing of time and the last pause changed it; nil while stopped or
    /// paused.
    ///
    /// - Parameter began: when the run began.
    package func modeSince(began: Instant) -> Instant? {
        switch state {
        case .stopped, .paused: return nil
        case .alarm(let since): return since
        case .running(let zero, let ticked):
            let resumed = usedTime.since ?? began
            let second: Int? =
                switch thresholds.mode(showing: ticked) {
                case .warning: thresholds.warnRange.upperBound
                case .final: thresholds.finalRange.upperBound
                default: nil
                }
            return second.map { max(resumed, zero - .seconds($0)) } ?? resumed
        }
    }

    /// Whether the run was last resumed from a pause at this instant.
    package func wasResumed(at instant: Instant) -> Bool { usedTime.before > .zero && usedTime.since == instant }
}
