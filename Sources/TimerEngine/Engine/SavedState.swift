internal import FoundationEssentials

extension TimerEngine {
    /// The six values that an engine is saved as.
    struct SavedState: Codable {
        enum LastMode: String, Codable {
            case stopped, countdown, warning, final, paused, alarm
        }

        let startingTimeInSeconds: Int
        let warningTimeInSeconds: Int
        let finalTimeInSeconds: Int
        let id: UUID?
        /// The elapsed seconds: negative while more than the starting time is left.
        let startTime: Double
        let lastMode: LastMode

        /// Saves an engine, with its mode in full or, as in the dictionary, the mode it has while it runs.
        init(_ state: TimerEngine.State, at now: Instant, inFull: Bool) {
            var countdown = state.countdown
            _ = countdown.advance(to: now)
            startingTimeInSeconds = countdown.thresholds.start
            warningTimeInSeconds = countdown.thresholds.warning
            finalTimeInSeconds = countdown.thresholds.final
            id = state.id
            startTime = countdown.elapsed(at: now).inSeconds
            let mode = inFull ? countdown.mode : countdown.mode.unpaused
            lastMode = !inFull && mode == .alarm ? .stopped : LastMode(rawValue: mode.name) ?? .stopped
        }

        /// The countdown that was saved, doing what it did or, where told, something else.
        ///
        /// - Throws: ``TimerEngine/ThresholdsError``, or ``TimerEngine/CountdownError/notACountdown(_:)`` where the
        ///   elapsed time does not fit.
        func countdown(_ mode: LastMode? = nil, at now: Instant) throws -> Countdown {
            let thresholds = try Thresholds(
                start: startingTimeInSeconds, warning: warningTimeInSeconds, final: finalTimeInSeconds)
            guard startTime.isFinite else { throw CountdownError.notACountdown("an elapsed time of \(startTime)") }
            let left = .seconds(thresholds.start) - Duration(inSeconds: startTime)
            return try Countdown(thresholds, mode ?? lastMode, left: left, at: now)
        }
    }
}

extension TimerEngine.Countdown {
    fileprivate init(
        _ thresholds: TimerEngine.Thresholds, _ mode: TimerEngine.SavedState.LastMode, left: Duration, at now: Instant
    ) throws(CountdownError) {
        self.init(thresholds)
        let isOver = mode == .stopped || mode == .alarm
        guard left <= .seconds(TimerEngine.Thresholds.longest), isOver ? left >= .zero : left > .zero else {
            throw .notACountdown("\(mode.rawValue) with \(left) left")
        }
        switch mode {
        case .stopped: break
        case .alarm: _ = end(at: now)
        case .paused: enter(.paused(remaining: left), at: now)
        case .countdown, .warning, .final: enter(.running(zero: now + left, ticked: left.shownSeconds), at: now)
        }
    }
}

// MARK: - As a dictionary

extension TimerEngine.SavedState {
    /// The six values by their names.
    var dictionary: TimerEngine.StateDictionary {
        [
            "startingTimeInSeconds": startingTimeInSeconds, "warningTimeInSeconds": warningTimeInSeconds,
            "finalTimeInSeconds": finalTimeInSeconds, "id": id?.uuidString ?? "", "startTime": startTime,
            "lastMode": lastMode.rawValue,
        ]
    }

    /// Reads the six values, of which the id may be missing; nil where another is, or is of another type.
    init?(_ dictionary: TimerEngine.StateDictionary) {
        guard let starting = dictionary["startingTimeInSeconds"] as? Int,
            let warning = dictionary["warningTimeInSeconds"] as? Int,
            let final = dictionary["finalTimeInSeconds"] as? Int,
            let elapsed = dictionary["startTime"] as? Double
                ?? (dictionary["startTime"] as? Int).map(Double.init),
            let mode = (dictionary["lastMode"] as? String).flatMap(LastMode.init)
        else { return nil }
        startingTimeInSeconds = starting
        warningTimeInSeconds = warning
        finalTimeInSeconds = final
        startTime = elapsed
        lastMode = mode
        id = (dictionary["id"] as? String).flatMap { UUID(uuidString: $0) }
        if dictionary["id"] != nil, id == nil { return nil }
    }
}
