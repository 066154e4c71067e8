#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// The state of an engine, as values by name; see ``asDictionary``.
    public typealias StateDictionary = [String: any Hashable & Sendable]

    /// Why the last mutating call was refused; nil if it succeeded.
    ///
    /// This refers to the last call on any thread, so another thread may have made it. The error that ``add(_:)``
    /// throws always belongs to that call.
    public var lastRefusal: Refusal? { driver.state.withLock(\.extras.refusal) }

    /// Starts from the starting time, in any mode. Reports the transition first, unless the mode was already countdown,
    /// then the tick.
    ///
    /// Nothing happens if the starting time is 0 or the clock cannot wake the engine; ``lastRefusal`` is then the
    /// reason.
    public func start() {
        try? callCountdown { (countdown, now) throws(CountdownError) in try countdown.start(at: now) }
    }

    /// Stops and returns to the starting time without an alarm, in any mode.
    public func stop() {
        try? callCountdown { countdown, now in countdown.stop(at: now) }
    }

    /// Goes straight to the alarm, in any mode.
    public func end() {
        try? callCountdown { countdown, now in countdown.end(at: now) }
    }

    /// Pauses, keeping the exact fraction of the second.
    ///
    /// - Returns: The state just before the pause, for ``resume(_:transitionHandler:tickHandler:)`` of this or another
    ///   engine; empty if the engine was not running, in which case nothing changes.
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

    /// Resumes with the exact fraction of the second that was left, without a tick.
    ///
    /// - Parameters:
    ///   - saved: A state to continue from, in any mode; if empty, the engine continues from its pause.
    ///   - transitionHandler: Replaces the engine's transition handler, unless nil.
    ///   - tickHandler: Replaces the engine's tick handler, unless nil.
    /// - Returns: Whether the engine continues. It is false, and nothing changes, if there is no state and the engine
    ///   is not paused, if the state lacks a number or is invalid, if its run has no time left, or if the clock cannot
    ///   wake the engine; ``lastRefusal`` is then the reason.
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

    /// Runs the engine as if exactly `seconds` (clamped to 0…start) had been left at `date`. A future date counts as
    /// now.
    ///
    /// That second counts as ticked: a tick is reported at once only if a different second is shown now. Nothing
    /// happens unless the engine is running or paused; ``lastRefusal`` is then the reason.
    public func sync(to seconds: Int, date: Date) {
        let clock = clock
        try? callCountdown { (countdown, now) throws(CountdownError) in
            let age = Duration(inSeconds: max(0, clock.date.timeIntervalSince(date)))
            return try countdown.sync(to: seconds, at: now - age, now: now)
        }
    }

    /// Adds seconds to this run; a negative number removes them. The time left may exceed the starting time.
    ///
    /// If the alarm has begun, the engine continues with the added time. If 0 or less is left, the run ends.
    ///
    /// - Throws: ``Refusal/countdown(_:)`` while stopped, or if more than 23:59:59 would be left; ``Refusal/clock(_:)``
    ///   if the clock cannot wake the engine.
    public func add(_ seconds: Int) throws(Refusal) {
        try callCountdown { (countdown, now) throws(CountdownError) in try countdown.add(seconds, at: now) }
    }

    /// Sets the starting, warning and final times of this and every later run.
    ///
    /// The time left in the current run stays the same unless it exceeds a lowered starting time, to which it is then
    /// reduced.
    public func setThresholds(_ thresholds: Thresholds) {
        try? callCountdown { countdown, now in countdown.setThresholds(thresholds, at: now) }
    }

    /// Sets a paused engine back to its starting time; it stays paused.
    public func resetLastPausedTime() {
        try? callCountdown { countdown, now in
            guard countdown.mode.isPaused else { return [] }
            return countdown.setRemaining(.seconds(countdown.thresholds.start), at: now)
        }
    }
}

extension TimerEngine {
    /// Why an engine refused a call; nothing changed.
    public enum Refusal: Error, Hashable {
        /// The mode or the times do not allow the call.
        case countdown(CountdownError)
        /// The times of a saved state are not a valid combination.
        case thresholds(ThresholdsError)
        /// A saved state lacks the named value, or it has the wrong type.
        case noValue(String)
        /// The value to set is not a number.
        case notANumber
        /// The clock cannot wake the engine, so it cannot run.
        case clock(ClockError)

        /// The underlying error.
        var underlying: any Error {
            switch self {
            case .countdown(let error): error
            case .thresholds(let error): error
            case .clock(let error): error
            case .noValue, .notANumber: self
            }
        }
    }
}

extension TimerEngine.Refusal: CustomStringConvertible {
    /// A message that states what was found and what was expected.
    public var description: String {
        switch self {
        case .countdown(let error): error.description
        case .thresholds(let error): error.description
        case .noValue(let name): "the saved state lacks \(name), or its type is wrong"
        case .notANumber: "the time is not a number"
        case .clock(let error): error.description
        }
    }
}
