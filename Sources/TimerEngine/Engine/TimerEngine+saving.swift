#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension TimerEngine {
    /// The state of the engine as six named values.
    ///
    /// `startingTimeInSeconds`, `warningTimeInSeconds` and `finalTimeInSeconds` are `Int`, `id` is a `String`,
    /// `startTime` is the elapsed time in seconds as a `Double`, and `lastMode` is a `String`: `countdown`, `warning`
    /// or `final` for a running or paused engine, otherwise `stopped`.
    ///
    /// Setting it loads the times and, if present, the id, and stops the engine. Missing or invalid values change
    /// nothing, and ``lastRefusal`` says why. To continue from the elapsed time, see
    /// ``resume(_:transitionHandler:tickHandler:)``.
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
    /// The key in the decoder's `userInfo` for the ``Clock`` of a decoded engine; the default is a ``SystemClock``.
    public static let clockKey = CodingUserInfoKey(rawValue: "TimerEngine.clock")

    /// Writes the six values of ``asDictionary``; here `lastMode` may also be `paused` or `alarm`.
    public func encode(to encoder: any Encoder) throws {
        try savedState(inFull: true).encode(to: encoder)
    }

    /// Reads an engine in the mode of the written one, with the same time left to the nanosecond, but without handlers.
    ///
    /// A running engine continues from now.
    ///
    /// - Throws: ``ThresholdsError`` or ``CountdownError/notACountdown(_:)`` for values that no engine could have
    ///   written, a `DecodingError` for a field that is missing or of another type, ``ClockError`` if the clock cannot
    ///   wake it.
    public convenience init(from decoder: any Decoder) throws {
        let clock = Self.clockKey.flatMap { decoder.userInfo[$0] as? any Clock } ?? SystemClock()
        let saved = try SavedState(from: decoder)
        do throws(Refusal) {
            let countdown = try saved.countdown(at: clock.now)
            try saved.check(countdown)
            self.init(countdown, Extras(id: saved.id ?? UUID()), clock: clock)
            try callCountdown { _, _ in [] }
        } catch { throw error.underlying }
    }
}
