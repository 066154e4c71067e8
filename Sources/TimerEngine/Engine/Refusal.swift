extension TimerEngine {
    /// Why an engine did not do what it was called for; nothing changed.
    public enum Refusal: Error, Hashable {
        /// The mode does not allow the call, or the times do not.
        case countdown(CountdownError)
        /// The times of a saved state do not fit.
        case thresholds(ThresholdsError)
        /// A saved state lacks a value, or has one of another type; the text is its name.
        case noValue(String)
        /// What was set is not a number.
        case notANumber
        /// The engine cannot run: nobody would wake it.
        case clock(ClockError)

        /// The error that lies behind it.
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
