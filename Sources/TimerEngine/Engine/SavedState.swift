#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension TimerEngine {
    /// The six values of a saved engine.
    struct SavedState: Codable {
        enum LastMode: String, Codable {
            case stopped, countdown, warning, final, paused, alarm
        }

        let startingTimeInSeconds: Int
        let warningTimeInSeconds: Int
        let finalTimeInSeconds: Int
        let id: UUID?
        /// The elapsed seconds; negative while more than the starting time is left.
        let startTime: Double
        let lastMode: LastMode

        /// Saves an engine, with its full mode or, for the dictionary, its mode without pause and alarm.
        ///
        /// The time left is rounded up to a nanosecond, so that the mode and the second shown stay the same.
        init(_ countdown: Countdown, id: UUID, at now: Instant, inFull: Bool) {
            var countdown = countdown
            _ = countdown.advance(to: now)
            startingTimeInSeconds = countdown.thresholds.start
            warningTimeInSeconds = countdown.thresholds.warning
            finalTimeInSeconds = countdown.thresholds.final
            self.id = id
            let left = countdown.remaining(at: now).inWholeNanoseconds
            startTime = (.seconds(countdown.thresholds.start) - left).inSeconds
            let mode = inFull ? countdown.mode : countdown.mode.unpaused
            lastMode = !inFull && mode == .alarm ? .stopped : LastMode(rawValue: mode.name) ?? .stopped
        }

        /// Returns the saved countdown, in its saved mode or in another one.
        ///
        /// - Throws: An error for invalid times or an invalid elapsed time.
        func countdown(_ mode: LastMode? = nil, at now: Instant) throws(Refusal) -> Countdown {
            let thresholds: Thresholds
            do throws(ThresholdsError) {
                thresholds = try Thresholds(
                    start: startingTimeInSeconds, warning: warningTimeInSeconds, final: finalTimeInSeconds)
            } catch { throw .thresholds(error) }
            guard startTime.isFinite else {
                throw .countdown(.notACountdown("an elapsed time of \(startTime)"))
            }
            let left = .seconds(thresholds.start) - Duration(inSeconds: startTime)
            do throws(CountdownError) {
                return try Countdown(thresholds, mode ?? lastMode, left: left, at: now)
            } catch { throw .countdown(error) }
        }

        /// Throws if the saved mode does not match the time left.
        func check(_ countdown: Countdown) throws(Refusal) {
            let fits =
                switch lastMode {
                case .stopped: startTime == 0
                case .alarm: startTime == Double(startingTimeInSeconds)
                case .paused: true
                case .countdown, .warning, .final: countdown.mode.name == lastMode.rawValue
                }
            guard fits else { throw .countdown(.notACountdown("\(lastMode.rawValue) after \(startTime) s")) }
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
    /// The six values by name.
    var dictionary: TimerEngine.StateDictionary {
        [
            "startingTimeInSeconds": startingTimeInSeconds, "warningTimeInSeconds": warningTimeInSeconds,
            "finalTimeInSeconds": finalTimeInSeconds, "id": id?.uuidString ?? "", "startTime": startTime,
            "lastMode": lastMode.rawValue,
        ]
    }

    /// Reads the six values; the id is optional.
    ///
    /// - Throws: ``TimerEngine/Refusal/noValue(_:)`` if another value is missing or of the wrong type.
    init(_ dictionary: TimerEngine.StateDictionary) throws(TimerEngine.Refusal) {
        func value<Value>(_ name: String, _ read: (any Hashable & Sendable) -> Value?) throws(TimerEngine.Refusal)
            -> Value
        {
            guard let value = dictionary[name].flatMap(read) else { throw .noValue(name) }
            return value
        }
        startingTimeInSeconds = try value("startingTimeInSeconds") { $0 as? Int }
        warningTimeInSeconds = try value("warningTimeInSeconds") { $0 as? Int }
        finalTimeInSeconds = try value("finalTimeInSeconds") { $0 as? Int }
        startTime = try value("startTime") { $0 as? Double ?? ($0 as? Int).map(Double.init) }
        lastMode = try value("lastMode") { ($0 as? String).flatMap(LastMode.init) }
        id = dictionary["id"] == nil ? nil : try value("id") { ($0 as? String).flatMap { UUID(uuidString: $0) } }
    }
}
