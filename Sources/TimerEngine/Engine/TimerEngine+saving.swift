internal import FoundationEssentials

extension TimerEngine {
    /// The engine as six values by their names.
    ///
    /// `startingTimeInSeconds`, `warningTimeInSeconds` and `finalTimeInSeconds` are `Int`, `id` is a `String`,
    /// `startTime` is the elapsed time in seconds as a `Double`, and `lastMode` is a `String`: `countdown`, `warning` or
    /// `final` of a running or paused engine, else `stopped`.
    ///
    /// Setting it loads the times and, where there is one, the id; that stops the engine. Values that are missing or make
    /// no sense change nothing. To go on from the elapsed time, see ``resume(_:transitionHandler:tickHandler:)``.
    public var asDictionary: StateDictionary {
        get { state.withLock { SavedState($0, at: clock.now, inFull: false).dictionary } }
        set {
            perform { state, now in
                guard let saved = SavedState(newValue), let stopped = try? saved.countdown(at: now).thresholds
                else { return [] }
                let events = state.countdown.stop(at: now)
                state.countdown = Countdown(stopped)
                state.id = saved.id ?? state.id
                return events
            }
        }
    }
}

extension TimerEngine: Codable {
    /// The key of the ``Clock`` that a decoded engine is to run on, in the decoder's `userInfo`; by default it is a
    /// ``SystemClock``.
    public static let clockKey = CodingUserInfoKey(rawValue: "TimerEngine.clock")

    /// Writes the six values of ``asDictionary``, where `lastMode` may also be `paused` or `alarm`.
    public func encode(to encoder: any Encoder) throws {
        try state.withLock { SavedState($0, at: clock.now, inFull: true) }.encode(to: encoder)
    }

    /// Reads an engine that does what the written one did, with as much left, and without handlers.
    ///
    /// A running one runs on from now.
    ///
    /// - Throws: ``ThresholdsError`` or ``CountdownError/notACountdown(_:)`` for what no engine can have written, a
    ///   `DecodingError` for a field that is missing or of another type.
    public convenience init(from decoder: any Decoder) throws {
        let clock = Self.clockKey.flatMap { decoder.userInfo[$0] as? any Clock } ?? SystemClock()
        let saved = try SavedState(from: decoder)
        self.init(try saved.countdown(at: clock.now), id: saved.id ?? UUID(), clock: clock)
        perform { _, _ in [] }
    }
}
