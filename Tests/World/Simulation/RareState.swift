/// States that are reached seldom, and in which faults have been found or may hide.
package enum RareState: String, CaseIterable, Hashable, Sendable {
    /// A process died after the runs had been written and before the state was.
    case killedBetweenTwoWrites
    /// A power cut left a part of a state document.
    case tornState
}
