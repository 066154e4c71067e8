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

/// How long a run has to take, and may take, to qualify: the rule of a speech contest.
public struct QualifyingTime: Hashable, Sendable {
    /// The shortest time that qualifies, in seconds: 1…``TimerEngine/Thresholds/longest``; nil for none.
    public private(set) var minimum: Int?
    /// The longest time that qualifies, in seconds: ``minimum``…``TimerEngine/Thresholds/longest``; nil for none.
    public private(set) var maximum: Int?

    /// No rule, so that no run is judged.
    public static let none = QualifyingTime()

    private init() {}

    /// A rule with one bound, with both or with none; 0 counts as none.
    ///
    /// - Throws: ``QualifyingTimeError`` for a bound that is out of range, and for a minimum above the maximum.
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

    /// The rule with another minimum, clamped to 0…the maximum as in an editor; 0 for none.
    public func setting(minimum: Int) -> QualifyingTime {
        var rule = self
        rule.minimum = Self.bound(min(minimum, maximum ?? minimum))
        return rule
    }

    /// The rule with another maximum, clamped to the possible times as in an editor; 0 for none. A minimum above it
    /// becomes the maximum.
    public func setting(maximum: Int) -> QualifyingTime {
        var rule = self
        rule.maximum = Self.bound(maximum)
        if let maximum = rule.maximum { rule.minimum = minimum.map { min($0, maximum) } }
        return rule
    }

    private static func bound(_ seconds: Int) -> Int? {
        seconds <= 0 ? nil : min(seconds, TimerEngine.Thresholds.longest)
    }

    /// Whether a run qualifies; nil where there is no rule.
    ///
    /// - Parameters:
    ///   - used: how long the run took; a part of a second is left out.
    ///   - grace: how many seconds it may be too short or too long.
    public func qualifies(used: Duration, grace: Int) -> Bool? {
        guard minimum != nil || maximum != nil else { return nil }
        let seconds = used.wholeSeconds
        return minimum.map { $0 - grace <= seconds } ?? true && maximum.map { seconds <= $0 + grace } ?? true
    }
}

/// Why there is no such rule.
public struct QualifyingTimeError: Error, Hashable, CustomStringConvertible {
    /// The numbers, and what is wrong with them.
    public let description: String

    fileprivate init(_ description: String) { self.description = description }
}
