#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why a model refused an operation; nothing changed.
///
/// Paths and positions count from 0 in the values and from 1 in the descriptions.
public enum ModelError: Error, Hashable {
    /// There is no timer at this path.
    case noTimer(at: TimerPath)
    /// There is no group at this position.
    case noGroup(Int)
    /// This path is neither a position in a group nor that of a new group at the end.
    case noPlace(at: TimerPath)
    /// This is not a position before another group or after the last one.
    case noPlaceForGroup(Int)
    /// A group needs at least one timer.
    case emptyGroup
    /// The group would hold more than ``TimerGroup/capacity`` timers.
    case groupFull(Int, count: Int)
    /// The model would have no timers.
    case lastTimer
    /// There is no timer after this one.
    case noNext(after: TimerPath)
    /// There is no timer before this one.
    case noPrevious(before: TimerPath)
    /// Two timers have the same id.
    case duplicateID(UUID)
}

extension ModelError: CustomStringConvertible {
    /// What was found and what was expected.
    public var description: String {
        switch self {
        case .noTimer(let path): "there is no timer \(path)"
        case .noGroup(let group): "there is no group \(group &+ 1)"
        case .noPlace(let path): "there is no place for a timer at \(path)"
        case .noPlaceForGroup(let place): "there is no place for a group at \(place &+ 1)"
        case .emptyGroup: "a group needs at least one timer"
        case .groupFull(let group, let count):
            "group \(group &+ 1) would hold \(count) timers; \(TimerGroup.capacity) fit"
        case .lastTimer: "a model needs at least one timer"
        case .noNext(let path): "no timer comes after \(path)"
        case .noPrevious(let path): "no timer comes before \(path)"
        case .duplicateID(let id): "two timers have the id \(id)"
        }
    }
}
