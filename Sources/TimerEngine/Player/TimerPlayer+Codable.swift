extension TimerPlayer: Codable {
    private enum CodingKeys: String, CodingKey {
        case model, countdown
        case oneOff = "one_off"
        case lastRun = "last_run"
    }

    /// Writes the player with its instants, which stay valid as long as the clock's zero does not move.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(model, forKey: .model)
        try fields.encode(countdown, forKey: .countdown)
        try fields.encodeIfPresent(oneOff, forKey: .oneOff)
        try fields.encodeIfPresent(lastRun, forKey: .lastRun)
    }

    /// Reads a player; ``advance(to:)`` then reports what fell due since it was written.
    ///
    /// - Throws: ``PlayerError/notAPlayer(_:)``, ``ModelError``, ``TimerEngine/CountdownError`` or
    ///   ``TimerEngine/ThresholdsError`` for values that no player could have written; a `DecodingError` for a field
    ///   that is missing or of another type, or a time of more than ten thousand years.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        model = try fields.decode(TimerModel.self, forKey: .model)
        countdown = try fields.decode(TimerEngine.Countdown.self, forKey: .countdown)
        oneOff = try fields.decodeIfPresent(OneOff.self, forKey: .oneOff)
        lastRun = try fields.decodeIfPresent(Run.self, forKey: .lastRun)
        guard countdown.thresholds == oneOff?.thresholds ?? model.selectedTimer.thresholds else {
            throw PlayerError.notAPlayer("its countdown is not the selected timer's")
        }
        guard oneOff == nil || countdown.mode != .stopped else {
            throw PlayerError.notAPlayer("a single run that is stopped")
        }
        guard oneOff == nil || countdown.thresholds.start > 0 else {
            throw PlayerError.notAPlayer("a single run of no time")
        }
    }
}

extension TimerPlayer.Run {
    /// Reads a run.
    ///
    /// - Throws: ``PlayerError/notAPlayer(_:)`` for impossible times, a `DecodingError` for a field that is missing or
    ///   of another type, or a time of more than ten thousand years.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        path = try fields.decode(TimerPath.self, forKey: .path)
        name = try fields.decode(String.self, forKey: .name)
        used = try fields.decodeTime(forKey: .used)
        over = try fields.decodeTime(forKey: .over)
        guard over >= .zero, over <= used else {
            throw PlayerError.notAPlayer("a run of \(used), \(over) of it in alarm")
        }
    }
}
