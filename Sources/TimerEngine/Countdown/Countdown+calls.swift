extension TimerEngine.Countdown {
    /// A point on the clock that drives the countdown.
    public typealias Instant = TimerEngine.Instant
    /// Why a call was refused.
    public typealias CountdownError = TimerEngine.CountdownError

    /// Advances to `now` and returns the events that fell due, in order.
    ///
    /// After a stall, only the current second is reported as a tick, but every transition on the way is reported with
    /// the instant at which it was due.
    public mutating func advance(to now: Instant) -> [Event] {
        guard case .running(let zero, let ticked) = state else { return [] }
        let second = now.duration(to: zero).shownSeconds
        guard second < ticked else { return [] }

        var events: [Event] = []
        var mode = thresholds.mode(showing: ticked)
        for stop in thresholds.boundaries.filter({ second < $0 && $0 < ticked }) + [second] {
            let due = zero - .seconds(stop)
            if stop == second { events.append(.tick(second, at: due)) }
            let next = thresholds.mode(showing: stop)
            if next != mode { events.append(.transition(from: mode, to: next, at: due)) }
            mode = next
        }
        enter(second == 0 ? .alarm(since: zero) : .running(zero: zero, ticked: second), at: min(now, zero))
        return events
    }

    /// Starts from the starting time, in any mode. Returns the transition, if there is one, then the tick.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` if the starting time is 0.
    public mutating func start(at now: Instant) throws(CountdownError) -> [Event] {
        guard thresholds.start > 0 else { throw .nothingToRun }
        var events = advance(to: now)
        let from = mode
        let left = reserve ?? .seconds(thresholds.start)
        enter(.stopped, at: now)
        enter(left > .zero ? .running(zero: now + left, ticked: left.shownSeconds) : .alarm(since: now), at: now)
        if from != mode { events.append(.transition(from: from, to: mode, at: now)) }
        return events + [.tick(left.shownSeconds, at: now)]
    }

    /// Stops and returns to the starting time without an alarm, in any mode.
    public mutating func stop(at now: Instant) -> [Event] {
        advance(to: now) + leave(to: .stopped, at: now)
    }

    /// Goes straight to the alarm, in any mode.
    public mutating func end(at now: Instant) -> [Event] {
        advance(to: now) + (alarmedSince == nil ? leave(to: .alarm(since: now), at: now) : [])
    }

    /// Pauses, keeping the exact fraction of the second.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running.
    public mutating func pause(at now: Instant) throws(CountdownError) -> [Event] {
        var (next, events) = advanced(to: now)
        guard let zero = next.zero else { throw .notAllowed(.pause, in: next.mode) }
        let from = next.mode
        next.enter(.paused(remaining: now.duration(to: zero)), at: now)
        events.append(.transition(from: from, to: next.mode, at: now))
        self = next
        return events
    }

    /// Resumes with the exact fraction of the second that was left. The second already shown is not ticked again.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless paused.
    public mutating func resume(at now: Instant) throws(CountdownError) -> [Event] {
        guard case .paused(let remaining) = state else { throw .notAllowed(.resume, in: advanced(to: now).0.mode) }
        let from = mode
        enter(.running(zero: now + remaining, ticked: remaining.shownSeconds), at: now)
        return [.transition(from: from, to: mode, at: now)]
    }
}

// MARK: - Helpers

extension TimerEngine.Countdown {
    /// Returns a copy advanced to `now`, for a call that may still be refused.
    func advanced(to now: Instant) -> (Self, [Event]) {
        var next = self
        let events = next.advance(to: now)
        return (next, events)
    }

    /// Changes to stopped or alarm. If the countdown was paused, the transition starts from the mode before the pause.
    private mutating func leave(to next: State, at now: Instant) -> [Event] {
        let from = mode.unpaused
        enter(next, at: now)
        return from == mode ? [] : [.transition(from: from, to: mode, at: now)]
    }

    /// Changes the state, and starts or halts the stopwatches accordingly.
    mutating func enter(_ next: State, at now: Instant) {
        state = next
        switch next {
        case .stopped: (usedTime, overTime) = (Stopwatch(), Stopwatch())
        case .paused: usedTime.halt(at: now)
        case .running, .alarm: usedTime.run(from: now)
        }
        if case .alarm = next {
            overTime.run(from: now)
            // A sync may date the end of the run before its previous alarm: that alarm must not be counted twice.
            overTime.limitEarlierTime(to: usedTime.elapsed(at: now))
        } else {
            overTime.halt(at: now)
        }
    }
}

extension TimerEngine {
    /// Why a countdown refused a call; nothing changed.
    public enum CountdownError: Error, Hashable {
        /// A call that is allowed only in some modes.
        public enum Call: String, Hashable, Sendable {
            /// ``TimerEngine/Countdown/pause(at:)``, which needs a running timer.
            case pause
            /// ``TimerEngine/Countdown/resume(at:)``, which needs a paused timer.
            case resume
            /// ``TimerEngine/Countdown/sync(to:at:now:)``, which needs a running or paused timer.
            case sync
            /// ``TimerEngine/Countdown/add(_:at:)``, which needs a timer that is not stopped.
            case add
        }

        /// The call is not allowed in this mode.
        case notAllowed(Call, in: Mode)
        /// The starting time is 0, so there is nothing to run.
        case nothingToRun
        /// More than ``TimerEngine/Thresholds/longest`` seconds would be left.
        case tooLong(seconds: Int)
        /// The saved values are not valid for a countdown; the string says why.
        case notACountdown(String)
    }
}

extension TimerEngine.CountdownError: CustomStringConvertible {
    /// A message that states what was found and what was expected.
    public var description: String {
        switch self {
        case .notAllowed(let call, let mode): "\(call) needs a \(call.needs) timer; this one is \(mode.name)"
        case .nothingToRun: "start needs a starting time above 0; this one is 0"
        case .tooLong(let seconds): "\(seconds) s would be left, more than \(TimerEngine.Thresholds.longest)"
        case .notACountdown(let fault): "not a saved countdown: \(fault)"
        }
    }
}

extension TimerEngine.CountdownError.Call {
    fileprivate var needs: String {
        switch self {
        case .pause: "running"
        case .resume: "paused"
        case .sync: "running or paused"
        case .add: "running, paused or alarmed"
        }
    }
}
