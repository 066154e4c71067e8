/// Why a player refuses an action; nothing changed.
public enum PlayerError: Error, Hashable {
    /// The countdown refuses it.
    case countdown(TimerEngine.CountdownError)
    /// The model refuses it.
    case model(ModelError)
    /// Nobody would wake a ``PlayerEngine``; a ``TimerPlayer``, which has no clock, does not say this.
    case clock(TimerEngine.ClockError)
    /// A saved player that cannot have been one; the text says what is wrong with it.
    case notAPlayer(String)
}

extension PlayerError: CustomStringConvertible {
    /// What was found and what was expected.
    public var description: String {
        switch self {
        case .countdown(let error): error.description
        case .model(let error): error.description
        case .clock(let error): error.description
        case .notAPlayer(let fault): "not a saved player: \(fault)"
        }
    }
}
