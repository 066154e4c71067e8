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

/// One to four timers in order, with shared settings.
public struct TimerGroup: Hashable, Sendable {
    /// How the time is shown.
    public enum Display: String, Hashable, Sendable, CaseIterable {
        /// As digits.
        case numerical
        /// As a closing circle.
        case circular
        /// As a stoplight.
        case stoplights
    }

    /// How the end is announced.
    public enum Alarm: String, Hashable, Sendable, CaseIterable {
        /// Not at all, apart from the mode.
        case none
        /// By the sound pattern.
        case sound
        /// By vibration.
        case vibrate
        /// By both.
        case soundVibrate
    }

    /// What happens when one of the timers reaches zero.
    public enum AtZero: String, Hashable, Sendable, CaseIterable {
        /// The next timer with time starts in the same instant; after the last one comes the alarm.
        case next
        /// The alarm comes, as for speakers who take turns.
        case alarm
    }

    /// The maximum number of timers in a group.
    public static let capacity = 4

    /// The display name.
    public var name: String
    /// How the time is shown.
    public var display: Display
    /// How the end is announced.
    public var alarm: Alarm
    /// The sound pattern of the alarm; nil leaves the choice to the player of the sound.
    public var sound: String?
    /// The sound pattern between two timers of a sequence; nil leaves the choice to the player of the sound.
    public var transition: String?
    /// What happens when one of the timers reaches zero.
    public var atZero: AtZero
    /// The timers in order. A ``TimerModel`` accepts at most ``capacity`` and drops a group without timers.
    public var timers: [TimerItem]

    /// Creates a group.
    public init(
        name: String = "", display: Display = .numerical, alarm: Alarm = .none, sound: String? = nil,
        transition: String? = nil, atZero: AtZero = .next, timers: [TimerItem] = []
    ) {
        self.name = name
        self.display = display
        self.alarm = alarm
        self.sound = sound
        self.transition = transition
        self.atZero = atZero
        self.timers = timers
    }
}

/// The position of a timer in a model: that of its group, and its own in the group.
///
/// Positions count from 0 in code and from 1 for people: `TimerPath(group: 1, item: 0)` is written `2/1`, also in JSON.
public struct TimerPath: Hashable, Sendable {
    /// The position of the group, from 0.
    public var group: Int
    /// The position in the group, from 0.
    public var item: Int

    /// Creates a path; both positions count from 0.
    public init(group: Int, item: Int) {
        self.group = group
        self.item = item
    }
}

extension TimerPath: Comparable {
    /// Whether the left path comes first in the model.
    public static func < (left: TimerPath, right: TimerPath) -> Bool {
        (left.group, left.item) < (right.group, right.item)
    }
}

extension TimerPath: LosslessStringConvertible {
    /// The path as people write it: `2/1`.
    public var description: String { "\(group &+ 1)/\(item &+ 1)" }

    /// Reads `2/1`: two unsigned decimal numbers from 1; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || (48...57).contains($0) }),
            let group = Int(parts[0]), let item = Int(parts[1]), group > 0, item > 0
        else { return nil }
        self.init(group: group - 1, item: item - 1)
    }
}
