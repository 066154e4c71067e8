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
