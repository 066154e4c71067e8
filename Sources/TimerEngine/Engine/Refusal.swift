extension TimerEngine {
    /// Why an engine refused a call; nothing changed.
    public enum Refusal: Error, Hashable {
        /// The mode or the times do not allow the call.
        case countdown(CountdownError)
        /// The times of a saved state are not valid together.
        case thresholds(ThresholdsError)
        /// A saved state lacks the named value, or it has the wrong type.
        case noValue(String)
        /// The value set is not a number.
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
    /// What was found and what was expected.
    public var description: String {
        switch self {
        case .countdown(let error): error.description
        case .thresholds(let error): error.description
        case .noValue(let name): "the saved state has no \(name), or one of another type"
        case .notANumber: "a time that is not a number"
        case .clock(let error): error.description
        }
    }
}
