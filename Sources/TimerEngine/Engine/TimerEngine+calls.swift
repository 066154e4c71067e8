#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// What an engine was doing, by the names of its values; see ``asDictionary``.
    public typealias StateDictionary = [String: any Hashable & Sendable]

    /// Why the last call that was to change something changed nothing; nil where it was done.
    ///
    /// It is the last call of all threads: where several make calls, ``add(_:)`` throws its own reason.
    public var lastRefusal: Refusal? { driver.state.withLock(\.extras.refusal) }

    /// Runs from the starting time, from any mode: first the transition, unless it was in countdown, then the tick.
    ///
    /// Nothing happens where the starting time is 0, or where the clock cannot wake the engine; ``lastRefusal`` says why.
    public func start() {
        try? ask { (countdown, now) throws(CountdownError) in try countdown.start(at: now) }
    }

    /// Goes back to the starting time without an alarm, from any mode.
    public func stop() {
        try? ask { countdown, now in countdown.stop(at: now) }
    }

    /// Goes straight to the alarm, from any mode.
    public func end() {
        try? ask { countdown, now in countdown.end(at: now) }
    }

    /// Holds the exact fraction of the present second.
    ///
    /// - Returns: The state just before, for ``resume(_:transitionHandler:tickHandler:)``, here or in another engine; it
    ///   is empty, and nothing happened, unless the engine was running.
    @discardableResult
    public func pause() -> StateDictionary {
        let before = try? call { (countdown, extras, now) throws(Refusal) in
            let before = SavedState(countdown, id: extras.id, at: now, inFull: false).dictionary
            do throws(CountdownError) {
                return (try countdown.pause(at: now), before)
            } catch { throw .countdown(error) }
        }
        return before ?? [:]
    }

    /// Goes on from the fraction, without a tick of its own.
    ///
    /// - Parameters:
    ///   - saved: A state to go on from, from any mode; none goes on from the pause.
    ///   - transitionHandler: Takes the place of the engine's, if there is one.
    ///   - tickHandler: Takes the place of the engine's, if there is one.
    /// - Returns: Whether the engine goes on. It is false, and nothing changed, where there is no state and the engine is
    ///   not paused, where the state lacks a number or makes no sense, where nothing is left of its run, and where the
    ///   clock cannot wake the engine; ``lastRefusal`` says why.
    @discardableResult
    public func resume(
        _ saved: StateDictionary = [:], transitionHandler: TransitionHandler? = nil, tickHandler: TickHandler? = nil
    ) -> Bool {
        let isDone = try? call { (countdown, extras, now) throws(Refusal) in
            if !saved.isEmpty {
                let saved = try SavedState(saved)
                countdown = try saved.countdown(.paused, at: now)
                extras.id = saved.id ?? extras.id
            }
            extras.transitionHandler = transitionHandler ?? extras.transitionHandler
            extras.tickHandler = tickHandler ?? extras.tickHandler
            do throws(CountdownError) {
                return (try countdown.resume(at: now), true)
            } catch { throw .countdown(error) }
        }
        return isDone == true
    }

    /// Runs so that `seconds` (clamped to 0…start) were left exactly at a date; a future date counts as now.
    ///
    /// That second counts as ticked: there is a tick at once only where another one is present by now. Nothing happens
    /// unless the engine is running or paused; ``lastRefusal`` says so.
    public func sync(to seconds: Int, date: Date) {
        let clock = clock
        try? ask { (countdown, now) throws(CountdownError) in
            let age = Duration(inSeconds: max(0, clock.date.timeIntervalSince(date)))
            return try countdown.sync(to: seconds, at: now - age, now: now)
        }
    }

    /// Gives (or, negative, takes) seconds for this run; what is left may go above the starting time.
    ///
    /// Out of the alarm the engine runs on with what is given. At 0 or below the run ends.
    ///
    /// - Throws: ``Refusal/countdown(_:)`` while stopped, and where more than 23:59:59 would be left;
    ///   ``Refusal/clock(_:)`` where the clock cannot wake the engine.
    public func add(_ seconds: Int) throws(Refusal) {
        try ask { (countdown, now) throws(CountdownError) in try countdown.add(seconds, at: now) }
    }

    /// Gives all three times at once to this and each later run.
    ///
    /// What is left of the present run stays, but for what passes a lower starting time.
    public func setThresholds(_ thresholds: Thresholds) {
        try? ask { countdown, now in countdown.setThresholds(thresholds, at: now) }
    }

    /// Forgets where the engine was paused: a paused one goes back to its starting time, and stays paused.
    public func resetLastPausedTime() {
        try? ask { countdown, now in
            guard countdown.mode.isPaused else { return [] }
            return countdown.setRemaining(.seconds(countdown.thresholds.start), at: now)
        }
    }
}
