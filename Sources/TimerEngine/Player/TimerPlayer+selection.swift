// The actions of a remote control.
extension TimerPlayer {
    /// Selects a timer, which stays stopped; a timer that is running, paused or at its alarm is stopped first.
    ///
    /// - Throws: ``ModelError/noTimer(at:)``.
    public mutating func select(_ path: TimerPath, at now: Instant) throws(PlayerError) -> [Event] {
        guard model[path] != nil else { throw .model(.noTimer(at: path)) }
        return perform(at: now) { player in
            player.prepared = nil
            return player.show(path, at: now)
        }
    }

    /// Selects the timer after the selected one; ``TimerModel/Settings/startTimerImmediately`` decides whether it
    /// starts.
    ///
    /// - Throws: ``ModelError/noNext(after:)`` at the end of the group or, depending on `reach`, of the model.
    public mutating func next(within reach: TimerModel.Reach = .group, at now: Instant) throws(PlayerError) -> [Event] {
        try chooseNeighbour(at: now) { (model) throws(ModelError) in
            try model.next(after: model.selected, within: reach)
        }
    }

    /// Selects the timer before the selected one; ``TimerModel/Settings/startTimerImmediately`` decides whether it
    /// starts.
    ///
    /// - Throws: ``ModelError/noPrevious(before:)`` at the beginning of the group or, depending on `reach`, of the
    ///   model.
    public mutating func previous(
        within reach: TimerModel.Reach = .group, at now: Instant
    ) throws(PlayerError) -> [Event] {
        try chooseNeighbour(at: now) { (model) throws(ModelError) in
            try model.previous(before: model.selected, within: reach)
        }
    }

    private mutating func chooseNeighbour(
        at now: Instant, _ find: (TimerModel) throws(ModelError) -> TimerPath
    ) throws(PlayerError) -> [Event] {
        try perform(at: now) { (player) throws(PlayerError) in
            do throws(ModelError) {
                return player.choose(try find(player.model), at: now)
            } catch { throw .model(error) }
        }
    }

    /// Plays or pauses, for a remote with one button.
    ///
    /// A running timer pauses, a paused one resumes, a stopped one starts. During the alarm, the group's first timer is
    /// selected; ``TimerModel/Settings/startTimerImmediately`` decides whether it starts.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` if a stopped timer has a starting time of 0.
    public mutating func toggle(at now: Instant) throws(PlayerError) -> [Event] {
        try perform(at: now) { (player) throws(PlayerError) in
            switch player.mode {
            case .countdown, .warning, .final: try player.pause(at: now)
            case .paused: try player.resume(at: now)
            case .stopped: try player.start(at: now)
            case .alarm: player.choose(TimerPath(group: player.model.selected.group, item: 0), at: now)
            }
        }
    }

    /// Returns to the beginning and stops there.
    ///
    /// This is the beginning of the timer or, if the timer is already there, the previous timer of the group. During
    /// the alarm of the last of several timers, it is the first timer of the group.
    public mutating func rewind(at now: Instant) -> [Event] {
        perform(at: now) { player in
            let selected = player.model.selected
            let isLast = (try? player.model.next(after: selected)) == nil
            let target: TimerPath? =
                if player.mode == .alarm {
                    isLast ? TimerPath(group: selected.group, item: 0) : nil
                } else if player.countdown.elapsed(at: now) == .zero {
                    try? player.model.previous(before: selected)
                } else { nil }
            let events = player.show(target ?? selected, at: now)
            player.fillAccount(of: player.model.selectedTimer.id)
            return events
        }
    }

    /// Goes forward to the end.
    ///
    /// If the timer is not running and is at its beginning or end, the next timer of the group is selected and stays
    /// stopped. Otherwise the timer ends and the sequence continues.
    public mutating func fastForward(at now: Instant) -> [Event] {
        perform(at: now) { player in
            let atAnEnd = player.mode == .alarm || player.countdown.elapsed(at: now) == .zero
            if atAnEnd, !player.mode.isRunning, let next = try? player.model.next(after: player.model.selected) {
                return player.show(next, at: now)
            }
            return player.runCountdown(at: now) { $0.end(at: now) }
        }
    }
}

// MARK: - Editing

extension TimerPlayer {
    /// Changes the model while it is played, by any of its operations or by replacing it (`$0 = other`).
    ///
    /// A timer that is not stopped stays selected, wherever the change moves it, and continues with its new times. If
    /// the change removes it, it is stopped first, and the selection of the changed model applies.
    ///
    /// - Throws: The error of `change`, as ``PlayerError/model(_:)``; nothing changes then.
    public mutating func edit(
        at now: Instant, _ change: (inout TimerModel) throws(ModelError) -> Void
    ) throws(PlayerError) -> [Event] {
        try perform(at: now) { (player) throws(PlayerError) in
            var edited = player.model
            do throws(ModelError) { try change(&edited) } catch { throw .model(error) }
            let accounts = player.accounts.filter { edited.path(of: $0.key) != nil }

            guard player.mode != .stopped, let path = edited.path(of: player.model.selectedTimer.id) else {
                let ended = player.show(player.model.selected, at: now)
                let isSame = edited.selectedTimer.id == player.model.selectedTimer.id
                var next = TimerPlayer(edited)
                (next.lastRun, next.prepared) = (player.lastRun, isSame ? player.prepared : nil)
                next.accounts = accounts
                next.countdown = next.freshCountdown
                player = next
                return ended
            }
            edited.selected = path
            (player.model, player.accounts) = (edited, accounts)
            guard player.oneOff == nil else { return [] }
            return player.runCountdown(at: now) { $0.setThresholds(edited.selectedTimer.thresholds, at: now) }
        }
    }

    /// Changes the model with a `change` that may throw any error, such as a closure without a declared error type.
    ///
    /// - Throws: The error of `change`, a ``ModelError`` as ``PlayerError/model(_:)``; nothing changes then.
    @_disfavoredOverload
    public mutating func edit(
        at now: Instant, _ change: (inout TimerModel) throws -> Void
    ) throws -> [Event] {
        var edited = model
        do { try change(&edited) } catch let error as ModelError { throw PlayerError.model(error) }
        return try edit(at: now) { (model) throws(ModelError) in model = edited }
    }
}

extension TimerPlayer {
    /// Advances to `now` and returns the events that fell due, in order, for all timers that the sequence has passed.
    ///
    /// After a stall, only the current second is reported as a tick, but every change of mode and of timer on the way
    /// is reported with the instant at which it was due.
    public mutating func advance(to now: TimerEngine.Instant) -> [Event] {
        runCountdown(at: now) { $0.advance(to: now) }
    }

    /// Calls the countdown. If it reaches zero and another timer follows, that one starts at the same instant without
    /// an alarm in between. Missed ticks are not replayed.
    mutating func runCountdown<Failure: Error>(
        at now: TimerEngine.Instant,
        _ call: (inout TimerEngine.Countdown) throws(Failure) -> [TimerEngine.Countdown.Event]
    ) throws(Failure) -> [Event] {
        let (before, first) = (mode, model.selected)
        var events = try call(&countdown).map(Event.init)
        while case .modeChanged(let from, to: .alarm, let zero)? = events.last, let next = upNext {
            let old = model.selected
            let mode = before.isPaused && old == first ? before : from
            events.removeLast()
            if !events.contains(.tick(0, at: zero)) { events.append(.tick(0, at: zero)) }
            events.append(endRun(at: zero))
            events.append(.movedOn(from: old, to: next, at: zero))
            model.selected = next
            events += begin(model.selectedTimer.thresholds, from: mode, at: zero)
            events += countdown.advance(to: now).map(Event.init)
        }
        if let last = events.last(where: \.isTick) {
            events.removeAll { $0.isTick && $0.instant < last.instant }
        }
        return events
    }

    /// Starts a countdown with these times, whose starting time must be above 0, and reports a change from `mode`.
    mutating func begin(
        _ thresholds: TimerEngine.Thresholds, from mode: TimerEngine.Mode, at now: TimerEngine.Instant
    ) -> [Event] {
        countdown = oneOff == nil ? freshCountdown : TimerEngine.Countdown(thresholds)
        guard let started = try? countdown.start(at: now) else { return [] }
        return started.compactMap { event in
            guard case .transition(_, let to, _) = event else { return Event(event) }
            return to == mode ? nil : .modeChanged(from: mode, to: to, at: now)
        }
    }

    /// Ends the current run and returns the event.
    mutating func endRun(at now: TimerEngine.Instant) -> Event {
        let run = Run(
            path: model.selected, name: name, used: countdown.used(at: now), over: countdown.over(at: now),
            total: book(at: now))
        lastRun = run
        oneOff = nil
        return .runEnded(run, at: now)
    }
}

extension TimerPlayer.Event {
    fileprivate var isTick: Bool {
        if case .tick = self { true } else { false }
    }
}
