public import TimerEngine

extension NodeConfiguration {
    /// `timers`: the timers of a node that has none saved.
    public struct Timers: Hashable, Sendable {
        /// The groups in their order; never empty in a configuration that was loaded.
        public var groups: [Group]
        /// Whether selecting a timer by `next`, `previous` or play starts it at once.
        public var startTimerImmediately: Bool

        /// Groups of timers.
        public init(groups: [Group], startTimerImmediately: Bool = true) {
            self.groups = groups
            self.startTimerImmediately = startTimerImmediately
        }

        /// One timer in one group; by default of 5:00, 1:00, 0:15.
        public init(
            name: String = "Timer",
            thresholds: TimerEngine.Thresholds = .zero.setting(start: 300).setting(warning: 60)
                .setting(final: 15)
        ) {
            self.init(groups: [Group(timers: [Timer(name: name, thresholds: thresholds)])])
        }

        /// The timer that is selected on a new node.
        public var first: Timer { groups.first?.timers.first ?? Timer(thresholds: .zero) }
    }
}

extension NodeConfiguration.Timers {
    /// One entry of `timers.groups`.
    public struct Group: Hashable, Sendable {
        /// How a group's time is shown.
        public enum Display: String, Hashable, Sendable, CaseIterable {
            /// Digits.
            case numerical
            /// A circle that empties.
            case circular
            /// Lamps alone.
            case stoplights
        }

        /// What an alarm does besides its light.
        public enum Alarm: String, Hashable, Sendable, CaseIterable {
            /// Nothing.
            case none
            /// The buzzer sounds.
            case sound
            /// The output `vibrate` is driven.
            case vibrate
            /// Both.
            case soundVibrate
        }

        /// What follows when a timer reaches zero.
        public enum AtZero: String, Hashable, Sendable, CaseIterable {
            /// The next timer of the group, at once; after the last the alarm.
            case next
            /// The alarm, for groups whose speakers take turns.
            case alarm
        }

        /// The group's name.
        public var name: String
        /// How its time is shown.
        public var display: Display = .numerical
        /// What its alarm does besides its light.
        public var alarm: Alarm = .none
        /// The pattern of the alarm's sound; nil for the profile's, `none` for silence.
        public var sound: String?
        /// The pattern sounded between two timers; nil for the profile's, `none` for silence.
        public var transition: String?
        /// What follows when a timer reaches zero.
        public var atZero: AtZero = .next
        /// Its timers: 1 to 4.
        public var timers: [Timer]

        /// A group of 1 to 4 timers; the rest as the defaults have it.
        public init(name: String = "Timers", timers: [Timer]) {
            self.name = name
            self.timers = timers
        }
    }

    /// One entry of a group's `timers`.
    public struct Timer: Hashable, Sendable {
        /// The timer's name.
        public var name: String
        /// Its times.
        public var thresholds: TimerEngine.Thresholds
        /// What it is for, such as a conference's name.
        public var event: String?
        /// Where it is used.
        public var location: String?

        /// A timer with its times.
        public init(
            name: String = "Timer", thresholds: TimerEngine.Thresholds, event: String? = nil, location: String? = nil
        ) {
            self.name = name
            self.thresholds = thresholds
            self.event = event
            self.location = location
        }
    }
}
