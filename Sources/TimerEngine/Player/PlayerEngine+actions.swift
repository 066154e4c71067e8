#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The actions of a ``TimerPlayer``, applied at the current time. Actions that start or continue a run also throw
// ``PlayerError/clock(_:)`` if the clock cannot wake the engine; in that case, nothing changes.
extension PlayerEngine {
    /// Starts the selected timer from its starting time, in any mode.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` if the starting time is 0.
    public func start() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.start(at: now) }
    }

    /// Selects a timer and starts it from its starting time.
    ///
    /// - Throws: ``ModelError/noTimer(at:)``, or ``TimerEngine/CountdownError/nothingToRun``.
    public func start(_ path: TimerPath) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.start(path, at: now) }
    }

    /// Runs once with other times; the selected timer keeps its own. At zero the alarm is raised; the sequence does not
    /// continue.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` if the starting time is 0.
    public func start(_ oneOff: TimerPlayer.OneOff) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.start(oneOff, at: now) }
    }

    /// Stops and returns to the selected timer's starting time without an alarm, in any mode.
    public func stop() {
        try? act { (player, now) throws(PlayerError) in player.stop(at: now) }
    }

    /// Goes straight to the alarm, in any mode; the sequence does not continue.
    public func end() {
        try? act { (player, now) throws(PlayerError) in player.end(at: now) }
    }

    /// Pauses, keeping the exact fraction of the second.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running.
    public func pause() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.pause(at: now) }
    }

    /// Resumes with the exact fraction of the second that was left.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless paused.
    public func resume() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.resume(at: now) }
    }

    /// Runs the timer as if exactly `seconds` (clamped to 0…start) had been left at `date`. A future date counts as
    /// now.
    ///
    /// If zero has passed since `date`, the sequence continues from the instant of zero.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running or paused.
    public func sync(to seconds: Int, date: Date) throws(PlayerError) {
        let clock = clock
        try act { (player, now) throws(PlayerError) in
            let age = Duration(inSeconds: max(0, clock.date.timeIntervalSince(date)))
            return try player.sync(to: seconds, at: now - age, now: now)
        }
    }

    /// Sets the time left, clamped to 0…start; at 0 the sequence continues.
    public func setRemaining(_ remaining: Duration) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in player.setRemaining(remaining, at: now) }
    }

    /// Adds seconds to this run; a negative number removes them. At 0 or below, the sequence continues.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` while stopped,
    ///   ``TimerEngine/CountdownError/tooLong(seconds:)`` if more than 23:59:59 would be left.
    public func add(_ seconds: Int) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.add(seconds, at: now) }
    }
}

// MARK: - A remote control

extension PlayerEngine {
    /// Selects a timer, which stays stopped.
    ///
    /// - Throws: ``ModelError/noTimer(at:)``.
    public func select(_ path: TimerPath) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.select(path, at: now) }
    }

    /// Selects the timer after the selected one; ``TimerModel/Settings/startTimerImmediately`` decides whether it
    /// starts.
    ///
    /// - Throws: ``ModelError/noNext(after:)`` at the end of the group or, depending on `reach`, of the model.
    public func next(within reach: TimerModel.Reach = .group) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.next(within: reach, at: now) }
    }

    /// Selects the timer before the selected one; ``TimerModel/Settings/startTimerImmediately`` decides whether it
    /// starts.
    ///
    /// - Throws: ``ModelError/noPrevious(before:)`` at the beginning of the group or, depending on `reach`, of the
    ///   model.
    public func previous(within reach: TimerModel.Reach = .group) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.previous(within: reach, at: now) }
    }

    /// Plays or pauses, for a remote with one button: see ``TimerPlayer/toggle(at:)``.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` if a stopped timer has a starting time of 0.
    public func toggle() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.toggle(at: now) }
    }

    /// Returns to the beginning and stops there: see ``TimerPlayer/rewind(at:)``.
    public func rewind() {
        try? act { (player, now) throws(PlayerError) in player.rewind(at: now) }
    }

    /// Goes forward to the end: see ``TimerPlayer/fastForward(at:)``.
    public func fastForward() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in player.fastForward(at: now) }
    }

    /// Changes the model while it is played, by any of its operations or by replacing it (`$0 = other`): see
    /// ``TimerPlayer``. `change` must not call this engine: that would deadlock.
    ///
    /// - Throws: The error of `change`, a ``ModelError`` as ``PlayerError/model(_:)``; nothing changes then.
    public func edit(_ change: (inout TimerModel) throws -> Void) throws {
        var other: (any Error)?
        try act { (player, now) throws(PlayerError) in
            var edited = player.model
            do { try change(&edited) } catch let error as ModelError { throw .model(error) } catch {
                other = error
                return []
            }
            return try player.edit(at: now) { (model) throws(ModelError) in model = edited }
        }
        if let other { throw other }
    }
}
