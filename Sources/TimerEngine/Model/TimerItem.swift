#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A timer of a model: its times and its names.
public struct TimerItem: Hashable, Sendable, Identifiable {
    /// The identity, which moves and edits do not change.
    public let id: UUID
    /// The display name.
    public var name: String
    /// The starting, warning and final time.
    public var thresholds: TimerEngine.Thresholds
    /// How long a run has to take to qualify.
    public var qualifying: QualifyingTime
    /// What is timed: a session, a talk.
    public var event: String?
    /// Where it takes place.
    public var location: String?

    /// Creates a timer; the default times are 0/0/0, which cannot run.
    public init(
        id: UUID = UUID(), name: String = "", thresholds: TimerEngine.Thresholds = .zero,
        qualifying: QualifyingTime = .none, event: String? = nil, location: String? = nil
    ) {
        self.id = id
        self.name = name
        self.thresholds = thresholds
        self.qualifying = qualifying
        self.event = event
        self.location = location
    }

    /// The same timer under another id, by default a new one.
    public func identified(by id: UUID = UUID()) -> TimerItem {
        TimerItem(
            id: id, name: name, thresholds: thresholds, qualifying: qualifying, event: event, location: location)
    }
}
