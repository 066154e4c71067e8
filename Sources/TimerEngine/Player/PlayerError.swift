/// Why a player refused an action; nothing changed.
public enum PlayerError: Error, Hashable {
    /// The countdown refused it.
    case countdown(TimerEngine.CountdownError)
    /// The model refused it.
    case model(ModelError)
    /// The clock cannot wake a ``PlayerEngine``. A ``TimerPlayer``, which has no clock, never throws this.
    case clock(TimerEngine.ClockError)
    /// The saved values cannot be those of a player; the text says why.
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
