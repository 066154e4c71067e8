#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// What a player does, now. What starts or goes on throws ``PlayerError/clock(_:)`` too, where the clock cannot wake the
// engine; then nothing changed.
extension PlayerEngine {
    /// Runs the selected timer from its starting time, from any mode.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` where that is 0.
    public func start() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.start(at: now) }
    }

    /// Selects a timer and runs it from its starting time.
    ///
    /// - Throws: ``ModelError/noTimer(at:)``, or ``TimerEngine/CountdownError/nothingToRun``.
    public func start(_ path: TimerPath) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.start(path, at: now) }
    }

    /// Runs other times, once, in the place of the selected timer's; the alarm comes at zero.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` where the starting time is 0.
    public func start(_ oneOff: TimerPlayer.OneOff) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.start(oneOff, at: now) }
    }

    /// Goes back to the selected timer's starting time without an alarm, from any mode.
    public func stop() {
        try? act { (player, now) throws(PlayerError) in player.stop(at: now) }
    }

    /// Goes straight to the alarm, from any mode; the sequence does not go on.
    public func end() {
        try? act { (player, now) throws(PlayerError) in player.end(at: now) }
    }

    /// Holds the exact fraction.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running.
    public func pause() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.pause(at: now) }
    }

    /// Goes on from the fraction.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless paused.
    public func resume() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.resume(at: now) }
    }

    /// Runs so that `seconds` (clamped to 0…start) were left exactly at a date; a future date counts as now.
    ///
    /// Where zero was due meanwhile the sequence goes on from the instant at which it was.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` unless running or paused.
    public func sync(to seconds: Int, date: Date) throws(PlayerError) {
        let clock = clock
        try act { (player, now) throws(PlayerError) in
            let age = Duration(inSeconds: max(0, clock.date.timeIntervalSince(date)))
            return try player.sync(to: seconds, at: now - age, now: now)
        }
    }

    /// Sets what is left, clamped to 0…start; at 0 the sequence goes on.
    public func setRemaining(_ remaining: Duration) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in player.setRemaining(remaining, at: now) }
    }

    /// Gives (or, negative, takes) seconds for this run; at 0 or below the sequence goes on.
    ///
    /// - Throws: ``TimerEngine/CountdownError/notAllowed(_:in:)`` while stopped,
    ///   ``TimerEngine/CountdownError/tooLong(seconds:)`` where more than 23:59:59 would be left.
    public func add(_ seconds: Int) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.add(seconds, at: now) }
    }
}

// MARK: - A remote control

extension PlayerEngine {
    /// Selects a timer, which then waits stopped.
    ///
    /// - Throws: ``ModelError/noTimer(at:)``.
    public func select(_ path: TimerPath) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.select(path, at: now) }
    }

    /// Selects the timer after the selected one; ``TimerModel/Settings/startTimerImmediately`` says whether it starts.
    ///
    /// - Throws: ``ModelError/noNext(after:)`` at the end of the group or, where it may leave that, of the model.
    public func next(within reach: TimerModel.Reach = .group) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.next(within: reach, at: now) }
    }

    /// Selects the timer before the selected one; ``TimerModel/Settings/startTimerImmediately`` says whether it starts.
    ///
    /// - Throws: ``ModelError/noPrevious(before:)`` at the beginning of the group or, where it may leave that, of the
    ///   model.
    public func previous(within reach: TimerModel.Reach = .group) throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.previous(within: reach, at: now) }
    }

    /// Plays or pauses, for a remote with one button: see ``TimerPlayer/toggle(at:)``.
    ///
    /// - Throws: ``TimerEngine/CountdownError/nothingToRun`` where a stopped timer has no time.
    public func toggle() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in try player.toggle(at: now) }
    }

    /// Goes back to the beginning, and stops there: see ``TimerPlayer/rewind(at:)``.
    public func rewind() {
        try? act { (player, now) throws(PlayerError) in player.rewind(at: now) }
    }

    /// Goes on to the end: see ``TimerPlayer/fastForward(at:)``.
    public func fastForward() throws(PlayerError) {
        try act { (player, now) throws(PlayerError) in player.fastForward(at: now) }
    }

    /// Changes the model by any of its operations, or as a whole (`$0 = other`), while it is played: see
    /// ``TimerPlayer``. `change` must not use this engine, which waits for it.
    ///
    /// - Throws: What `change` throws, a ``ModelError`` as ``PlayerError/model(_:)``; nothing changed then.
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
