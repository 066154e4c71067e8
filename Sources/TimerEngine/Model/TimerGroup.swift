/// One to four timers in order, with shared settings.
public struct TimerGroup: Hashable, Sendable {
    /// How the time is shown.
    public enum Display: String, Hashable, Sendable, Codable, CaseIterable {
        /// As digits.
        case numerical
        /// As a closing circle.
        case circular
        /// As a stoplight.
        case stoplights
    }

    /// How the end is announced.
    public enum Alarm: String, Hashable, Sendable, Codable, CaseIterable {
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
    public enum AtZero: String, Hashable, Sendable, Codable, CaseIterable {
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

extension TimerGroup: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, display, alarm, sound, transition, timers
        case atZero = "at_zero"
    }

    /// Reads a group; only `timers` is required, the rest has the defaults of a new group.
    ///
    /// - Throws: The errors of its timers, ``ModelError/unknownField(_:)``, or a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        try decoder.refuseFields(notIn: CodingKeys.allCases)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try fields.decodeIfPresent(String.self, forKey: .name) ?? "",
            display: try fields.decodeIfPresent(Display.self, forKey: .display) ?? .numerical,
            alarm: try fields.decodeIfPresent(Alarm.self, forKey: .alarm) ?? .none,
            sound: try fields.decodeIfPresent(String.self, forKey: .sound),
            transition: try fields.decodeIfPresent(String.self, forKey: .transition),
            atZero: try fields.decodeIfPresent(AtZero.self, forKey: .atZero) ?? .next,
            timers: try fields.decode([TimerItem].self, forKey: .timers))
    }
}
