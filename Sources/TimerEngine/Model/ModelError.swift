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
    /// This path is neither a position in a group nor the position of a new group at the end.
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
    /// A message that states what was found and what was expected.
    public var description: String {
        switch self {
        case .noTimer(let path): "there is no timer \(path)"
        case .noGroup(let group): "there is no group \(group &+ 1)"
        case .noPlace(let path): "there is no place for a timer at \(path)"
        case .noPlaceForGroup(let place): "there is no place for a group at \(place &+ 1)"
        case .emptyGroup: "a group needs at least one timer"
        case .groupFull(let group, let count):
            "group \(group &+ 1) would hold \(count) timers; the maximum is \(TimerGroup.capacity)"
        case .lastTimer: "a model needs at least one timer"
        case .noNext(let path): "no timer comes after \(path)"
        case .noPrevious(let path): "no timer comes before \(path)"
        case .duplicateID(let id): "two timers have the id \(id)"
        }
    }
}

/// The shortest and the longest duration with which a run qualifies, as in the rules of a speech contest.
public struct QualifyingTime: Hashable, Sendable {
    /// The shortest time that qualifies, in seconds: 1…``TimerEngine/Thresholds/longest``; nil for no minimum.
    public private(set) var minimum: Int?
    /// The longest time that qualifies, in seconds: ``minimum``…``TimerEngine/Thresholds/longest``; nil for no maximum.
    public private(set) var maximum: Int?

    /// No rule: no run is judged.
    public static let none = QualifyingTime()

    private init() {}

    /// Creates a rule with a minimum, a maximum, both or neither; 0 and nil mean no bound.
    ///
    /// - Throws: ``QualifyingTimeError`` if a bound is out of range or the minimum is above the maximum.
    public init(minimum: Int?, maximum: Int?) throws(QualifyingTimeError) {
        for (name, bound) in [("minimum", minimum), ("maximum", maximum)] {
            guard let bound, !(0...TimerEngine.Thresholds.longest).contains(bound) else { continue }
            throw QualifyingTimeError("\(name) \(bound) is outside 0…\(TimerEngine.Thresholds.longest)")
        }
        self.minimum = minimum == 0 ? nil : minimum
        self.maximum = maximum == 0 ? nil : maximum
        if let minimum = self.minimum, let maximum = self.maximum, minimum > maximum {
            throw QualifyingTimeError("minimum \(minimum) is above maximum \(maximum)")
        }
    }

    /// Returns the rule with another minimum, clamped to 0…``maximum``, for an editor; 0 means none.
    public func setting(minimum: Int) -> QualifyingTime {
        var rule = self
        rule.minimum = Self.bound(min(minimum, maximum ?? minimum))
        return rule
    }

    /// Returns the rule with another maximum, clamped to the valid range, for an editor; 0 means none. A minimum above
    /// the new maximum is lowered to it.
    public func setting(maximum: Int) -> QualifyingTime {
        var rule = self
        rule.maximum = Self.bound(maximum)
        if let maximum = rule.maximum { rule.minimum = minimum.map { min($0, maximum) } }
        return rule
    }

    private static func bound(_ seconds: Int) -> Int? {
        seconds <= 0 ? nil : min(seconds, TimerEngine.Thresholds.longest)
    }

    /// Returns whether a run qualifies; nil if there is no rule.
    ///
    /// - Parameters:
    ///   - used: How long the run took; a fraction of a second is ignored.
    ///   - grace: The tolerance in seconds by which the run may be too short or too long.
    public func qualifies(used: Duration, grace: Int) -> Bool? {
        guard minimum != nil || maximum != nil else { return nil }
        let seconds = used.wholeSeconds
        return minimum.map { $0 - grace <= seconds } ?? true && maximum.map { seconds <= $0 + grace } ?? true
    }
}

/// Why a minimum and a maximum are not a valid rule.
public struct QualifyingTimeError: Error, Hashable, CustomStringConvertible {
    /// A message with the numbers and the problem with them.
    public let description: String

    fileprivate init(_ description: String) { self.description = description }
}
