#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A timer in a model: its times and names.
public struct TimerItem: Hashable, Sendable, Identifiable {
    /// The timer's id; moving or editing the timer does not change it.
    public let id: UUID
    /// The display name.
    public var name: String
    /// The starting, warning and final times.
    public var thresholds: TimerEngine.Thresholds
    /// How long a run must take to qualify.
    public var qualifying: QualifyingTime
    /// The event that is timed, such as a session or a talk.
    public var event: String?
    /// The location of the event.
    public var location: String?
    /// Whether the timer keeps what is left when it is stopped, and goes on from there at the next start.
    public var carry: Bool
    /// What is left in the timer's account, in a message about it; nil if it is full.
    package var left: Duration?

    /// Creates a timer; the default times are 0/0/0, which cannot run.
    public init(
        id: UUID = UUID(), name: String = "", thresholds: TimerEngine.Thresholds = .zero,
        qualifying: QualifyingTime = .none, event: String? = nil, location: String? = nil, carry: Bool = false
    ) {
        self.id = id
        self.name = name
        self.thresholds = thresholds
        self.qualifying = qualifying
        self.event = event
        self.location = location
        self.carry = carry
    }

    /// Returns a copy of the timer with another id, by default a new one.
    public func identified(by id: UUID = UUID()) -> TimerItem {
        TimerItem(
            id: id, name: name, thresholds: thresholds, qualifying: qualifying, event: event, location: location,
            carry: carry)
    }
}

/// One to four timers in order, with shared settings.
public struct TimerGroup: Hashable, Sendable {
    /// How the time is shown.
    public enum Display: String, Hashable, Sendable, CaseIterable {
        /// As digits.
        case numerical
        /// As a circle that closes.
        case circular
        /// As a stoplight.
        case stoplights
    }

    /// How the end of a run is announced.
    public enum Alarm: String, Hashable, Sendable, CaseIterable {
        /// Not announced; only the mode changes.
        case none
        /// With the sound pattern.
        case sound
        /// With vibration.
        case vibrate
        /// With both sound and vibration.
        case soundVibrate
    }

    /// What happens when one of the timers reaches zero.
    public enum AtZero: String, Hashable, Sendable, CaseIterable {
        /// The next timer with a starting time above 0 starts at the same instant. After the last one, the alarm is
        /// raised.
        case next
        /// The alarm is raised, as for speakers who take turns.
        case alarm
    }

    /// The maximum number of timers in a group.
    public static let capacity = 4

    /// The display name.
    public var name: String
    /// How the time is shown.
    public var display: Display
    /// How the end of a run is announced.
    public var alarm: Alarm
    /// The sound pattern of the alarm; if nil, the program that plays the sound chooses one.
    public var sound: String?
    /// The sound pattern between two timers in a sequence; if nil, the program that plays the sound chooses one.
    public var transition: String?
    /// What happens when one of the timers reaches zero.
    public var atZero: AtZero
    /// The seconds that all runs of the group may take together; nil for no limit.
    public var budget: Int?
    /// The timers in order. A ``TimerModel`` accepts at most ``capacity`` and drops a group without timers.
    public var timers: [TimerItem]

    /// Creates a group.
    public init(
        name: String = "", display: Display = .numerical, alarm: Alarm = .none, sound: String? = nil,
        transition: String? = nil, atZero: AtZero = .next, budget: Int? = nil, timers: [TimerItem] = []
    ) {
        self.name = name
        self.display = display
        self.alarm = alarm
        self.sound = sound
        self.transition = transition
        self.atZero = atZero
        self.budget = budget
        self.timers = timers
    }
}

/// The position of a timer in a model: the position of its group, and the timer's position in the group.
///
/// Positions count from 0 in code, and from 1 in text: `TimerPath(group: 1, item: 0)` is written as `2/1`, in JSON as
/// well.
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
    /// Returns whether the left path comes first in the model.
    public static func < (left: TimerPath, right: TimerPath) -> Bool {
        (left.group, left.item) < (right.group, right.item)
    }
}

extension TimerPath: LosslessStringConvertible {
    /// The path as text, such as `2/1`, counting from 1.
    public var description: String { "\(group &+ 1)/\(item &+ 1)" }

    /// Parses a path such as `2/1`: two unsigned decimal numbers from 1. Returns nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || (48...57).contains($0) }),
            let group = Int(parts[0]), let item = Int(parts[1]), group > 0, item > 0
        else { return nil }
        self.init(group: group - 1, item: item - 1)
    }
}
