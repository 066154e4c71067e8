/// What is done with a button.
enum Gesture: String, CaseIterable, Hashable, Sendable {
    /// Pressed once.
    case press
    /// Pressed twice, shortly after one another.
    case double
    /// Held down for a while.
    case hold
}
