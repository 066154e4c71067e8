public import FoundationEssentials

extension TimerEngine {
    /// What an engine was doing, by the names of its values; see ``asDictionary``.
    public typealias StateDictionary = [String: any Hashable & Sendable]

    /// Runs from the starting time, from any mode: first the transition, unless it was in countdown, then the tick.
    ///
    /// Nothing happens where the starting time is 0.
    public func start() {
        perform { state, now in (try? state.countdown.start(at: now)) ?? [] }
    }

    /// Goes back to the starting time without an alarm, from any mode.
    public func stop() {
        perform { state, now in state.countdown.stop(at: now) }
    }

    /// Goes straight to the alarm, from any mode.
    public func end() {
        perform { state, now in state.countdown.end(at: now) }
    }

    /// Holds the exact fraction of the present second.
    ///
    /// - Returns: The state just before, for ``resume(_:transitionHandler:tickHandler:)``, here or in another engine; it
    ///   is empty, and nothing happened, unless the engine was running.
    @discardableResult
    public func pause() -> StateDictionary {
        perform { state, now in
            let before = SavedState(state, at: now, inFull: false).dictionary
            guard let events = try? state.countdown.pause(at: now) else { return ([], [:]) }
            return (events, before)
        }
    }

    /// Goes on from the fraction, without a tick of its own.
    ///
    /// - Parameters:
    ///   - saved: A state to go on from, from any mode; none goes on from the pause.
    ///   - transitionHandler: Takes the place of the engine's, if there is one.
    ///   - tickHandler: Takes the place of the engine's, if there is one.
    /// - Returns: Whether the engine goes on. It is false, and nothing changed, where there is no state and the engine is
    ///   not paused, where the state lacks a number or makes no sense, and where nothing is left of its run.
    @discardableResult
    public func resume(
        _ saved: StateDictionary = [:], transitionHandler: TransitionHandler? = nil, tickHandler: TickHandler? = nil
    ) -> Bool {
        perform { state, now in
            var countdown = state.countdown
            var id = state.id
            if !saved.isEmpty {
                guard let saved = SavedState(saved), let paused = try? saved.countdown(.paused, at: now) else {
                    return ([], false)
                }
                countdown = paused
                id = saved.id ?? id
            }
            guard let events = try? countdown.resume(at: now) else { return ([], false) }
            state.countdown = countdown
            state.id = id
            state.transitionHandler = transitionHandler ?? state.transitionHandler
            state.tickHandler = tickHandler ?? state.tickHandler
            return (events, true)
        }
    }

    /// Runs so that `seconds` (clamped to 0…start) were left exactly at a date; a future date counts as now.
    ///
    /// That second counts as ticked: there is a tick at once only where another one is present by now. Nothing happens
    /// unless the engine is running or paused.
    public func sync(to seconds: Int, date: Date) {
        perform { state, now in
            let age = Duration(inSeconds: max(0, clock.date.timeIntervalSince(date)))
            return (try? state.countdown.sync(to: seconds, at: now - age, now: now)) ?? []
        }
    }

    /// Forgets where the engine was paused: a paused one goes back to its starting time, and stays paused.
    public func resetLastPausedTime() {
        perform { state, now in
            guard state.countdown.mode.isPaused else { return [] }
            return state.countdown.setRemaining(.seconds(state.countdown.thresholds.start), at: now)
        }
    }

    /// Each tick and each transition from now on, as the handlers get them, with the instant it was due.
    ///
    /// There may be any number of these sequences. They do not keep the engine alive, and end with it.
    public func events() -> AsyncStream<Countdown.Event> {
        let (stream, continuation) = AsyncStream<Countdown.Event>.makeStream()
        let key = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.streams[key] = nil }
        }
        state.withLock { $0.streams[key] = continuation }
        return stream
    }
}
