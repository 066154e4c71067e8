import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

// What the outputs do, computed without the last result, so that a test compares the two.
extension Indicators {
    /// Whether each output is on.
    func levels(at now: TimerEngine.Instant) -> [OutputName: Bool] {
        Dictionary(uniqueKeysWithValues: zip(names, reading(at: now).levels))
    }

    /// What each output does.
    func states(at now: TimerEngine.Instant) -> [OutputName: OutputState] {
        Dictionary(uniqueKeysWithValues: zip(names, reading(at: now).states))
    }

    /// When a level or a state changes next; nil while all is steady.
    func nextInstant(after now: TimerEngine.Instant) -> TimerEngine.Instant? { reading(at: now).nextInstant }
}
