#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why a model refuses an operation; it stays as it was.
///
/// Paths and places count from 0 in the values, and from 1 in the descriptions.
public enum ModelError: Error, Hashable {
    /// There is no timer at this path.
    case noTimer(at: TimerPath)
    /// There is no group at this place.
    case noGroup(Int)
    /// A timer can be put neither among a group's timers nor into a new group at the end by this path.
    case noPlace(at: TimerPath)
    /// A group can be put before this place of another group or behind the last one, not here.
    case noPlaceForGroup(Int)
    /// A group needs at least one timer.
    case emptyGroup
    /// The group would hold more than ``TimerGroup/capacity`` timers.
    case groupFull(Int, count: Int)
    /// The only timer cannot be deleted, and a model without timers is none.
    case lastTimer
    /// Nothing comes after this timer.
    case noNext(after: TimerPath)
    /// Nothing comes before this timer.
    case noPrevious(before: TimerPath)
    /// Two timers have the same id.
    case duplicateID(UUID)
    /// The saved model is of a version that this library does not know.
    case unknownVersion(Int)
    /// The saved model has a field that no model has.
    case unknownField(String)
    /// The text is no path.
    case notAPath(String)
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
        case .unknownVersion(let version):
            "version \(version) of a model is unknown; \(TimerModel.version) and before can be read"
        case .unknownField(let field): "the field \(field) is unknown"
        case .notAPath(let text): "\"\(text)\" is no path like 2/1"
        }
    }
}
