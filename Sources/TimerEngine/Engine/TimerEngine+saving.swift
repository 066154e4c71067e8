#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension TimerEngine {
    /// The engine as six values by their names.
    ///
    /// `startingTimeInSeconds`, `warningTimeInSeconds` and `finalTimeInSeconds` are `Int`, `id` is a `String`,
    /// `startTime` is the elapsed time in seconds as a `Double`, and `lastMode` is a `String`: `countdown`, `warning` or
    /// `final` of a running or paused engine, else `stopped`.
    ///
    /// Setting it loads the times and, where there is one, the id; that stops the engine. Values that are missing or make
    /// no sense change nothing, and ``lastRefusal`` says why. To go on from the elapsed time, see ``resume(_:transitionHandler:tickHandler:)``.
    public var asDictionary: StateDictionary {
        get { savedState(inFull: false).dictionary }
        set {
            try? call { (countdown, extras, now) throws(Refusal) in
                let saved = try SavedState(newValue)
                let thresholds = try saved.countdown(at: now).thresholds
                let events = countdown.stop(at: now)
                countdown = Countdown(thresholds)
                extras.id = saved.id ?? extras.id
                return (events, ())
            }
        }
    }

    private func savedState(inFull: Bool) -> SavedState {
        driver.state.withLock { SavedState($0.value, id: $0.extras.id, at: driver.clock.now, inFull: inFull) }
    }
}

extension TimerEngine: Codable {
    /// The key of the ``Clock`` that a decoded engine is to run on, in the decoder's `userInfo`; by default it is a
    /// ``SystemClock``.
    public static let clockKey = CodingUserInfoKey(rawValue: "TimerEngine.clock")

    /// Writes the six values of ``asDictionary``, where `lastMode` may also be `paused` or `alarm`.
    public func encode(to encoder: any Encoder) throws {
        try savedState(inFull: true).encode(to: encoder)
    }

    /// Reads an engine that does what the written one did, with as much left to the nanosecond, and without handlers.
    ///
    /// A running one runs on from now.
    ///
    /// - Throws: ``ThresholdsError`` or ``CountdownError/notACountdown(_:)`` for what no engine can have written, a
    ///   `DecodingError` for a field that is missing or of another type, ``ClockError`` where the clock cannot wake it.
    public convenience init(from decoder: any Decoder) throws {
        let clock = Self.clockKey.flatMap { decoder.userInfo[$0] as? any Clock } ?? SystemClock()
        let saved = try SavedState(from: decoder)
        do throws(Refusal) {
            let countdown = try saved.countdown(at: clock.now)
            try saved.check(countdown)
            self.init(countdown, Extras(id: saved.id ?? UUID()), clock: clock)
            try ask { _, _ in [] }
        } catch { throw error.underlying }
    }
}
