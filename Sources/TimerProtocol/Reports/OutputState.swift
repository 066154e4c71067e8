/// What an output does, as the state reports it.
package enum OutputState: String, Hashable, Sendable {
    /// Dark or silent.
    case off
    /// Lit or sounding.
    case on
    /// Going on and off in a pattern.
    case blink
}
