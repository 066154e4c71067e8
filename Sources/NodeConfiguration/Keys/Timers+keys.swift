internal import IoTNode
internal import TimerEngine
internal import TimerProtocol

extension NodeConfiguration.Timers {
    /// The keys of `timers`.
    enum Keys {
        static let settings = Key(
            "settings", .section(SettingsKeys.all) { $0.read(SettingsKeys.startTimerImmediately) },
            absent: "the defaults", "How the timers are used.")
        static let groups = Key(
            "groups", .list(of: TimerGroup.schema, count: 1...64, "a list of 1 to 64 groups"),
            absent: "one timer of 5:00, 1:00 and 0:15", "The groups in their order, each a sequence of timers.")

        static let readOnly = Key(
            "read_only", .bool, default: "false",
            "Whether the commands `edit` and `timers` are refused. Edits stay until `timers` changes in this file; then "
                + "they are set aside.")

        static let all: [any DeclaredKey] = [settings, groups, readOnly]
    }

    /// The keys of `timers.settings`.
    enum SettingsKeys {
        static let startTimerImmediately = Key(
            "start_timer_immediately", .bool, default: "true",
            "Whether selecting a timer by `next`, `previous` or play starts it at once.")

        static let all: [any DeclaredKey] = [startTimerImmediately]
    }

    /// How `timers` is written.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            var settings = TimerModel.Settings()
            section.read(Keys.settings, into: &settings.startTimerImmediately)
            // Each list has its count checked, so that what fails is a group with a fault of its own.
            var timers =
                section.node(Keys.groups) == nil
                ? Self(settings: settings)
                : section.read(Keys.groups).flatMap { try? Self(groups: $0, settings: settings) }
            if let isReadOnly = section.read(Keys.readOnly) { timers?.isReadOnly = isReadOnly }
            return timers
        }
    }
}

extension TimerGroup {
    /// The keys of a group.
    private enum Keys {
        static let name = Key("name", .text, default: "Timers", "The group's name.")
        static let display = Key("display", Schema<Display>.oneOf, default: "numerical", "How its time is shown.")
        static let alarm = Key(
            "alarm", Schema<Alarm>.oneOf, absent: "the profile's",
            "What its alarm does besides its lamps: `sound` on the output `buzzer`, `vibrate` on the output `vibrate`.")
        static let sound = Key(
            "sound", .patternOrNone, absent: "the profile's", "The pattern of the alarm's sound; `none` for silence.")
        static let transition = Key(
            "transition", .patternOrNone, absent: "the profile's",
            "The pattern sounded between two timers; `none` for silence.")
        static let atZero = Key(
            "at_zero", Schema<AtZero>.oneOf, default: "next",
            "What follows when a timer reaches zero: the next timer of the group, or the alarm.")
        static let timers = Key(
            "timers", .list(of: TimerItem.schema, count: 1...4, "a list of 1 to 4 timers"),
            "The timers in their order.")

        static let all: [any DeclaredKey] = [name, display, alarm, sound, transition, atZero, timers]
    }

    /// How a group is written.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            var group = Self(timers: section.read(Keys.timers) ?? [])
            section.read(Keys.name, into: &group.name)
            section.read(Keys.display, into: &group.display)
            section.read(Keys.alarm, into: &group.alarm)
            group.sound = section.read(Keys.sound)
            if section.node(Keys.alarm) != nil, group.alarm == .none { group.mute(section) }
            group.transition = section.read(Keys.transition)
            section.read(Keys.atZero, into: &group.atZero)
            return group
        }
    }

    /// Takes an alarm that is written as `none` by its word; a group without the key has the profile's.
    private mutating func mute(_ section: Section) {
        if let sound, sound != TimerGroup.silent {
            section.report(.other("not used: the alarm is none"), at: Keys.sound, severity: .warning)
        }
        sound = TimerGroup.silent
    }
}

extension TimerItem {
    /// The keys of a timer.
    enum Keys {
        static let name = Key("name", .text, default: "Timer", "The timer's name.")
        static let start = Key(
            "start", .time, absent: "required, unless there are `min`, `mid` and `max`",
            "Where a run starts, up to 23:59:59.")
        static let warning = Key(
            "warning", .time, default: "0", "What is left when the warning begins, below `start`; 0 for none.")
        static let final = Key(
            "final", .time, default: "0",
            "What is left when the final mode begins, below `warning`, or below `start` without one; 0 for none.")
        static let event = Key("event", .text, absent: "none", "What the timer is for.")
        static let location = Key("location", .text, absent: "none", "Where it is used.")

        static let all: [any DeclaredKey] = [name, start, warning, final] + CardKeys.all + [event, location]
    }

    /// How a timer is written.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            let cards = [CardKeys.min, CardKeys.mid, CardKeys.max].contains { section.node($0) != nil }
            var timer = Self(thresholds: (cards ? thresholds(ofCards: section) : thresholds(section)) ?? .zero)
            section.read(Keys.name, into: &timer.name)
            timer.event = section.read(Keys.event)
            timer.location = section.read(Keys.location)
            return timer
        }
    }

    private static func thresholds(_ section: Section) -> TimerEngine.Thresholds? {
        if section.node(Keys.start) == nil {
            section.report(.unexpected(found: "nothing", expected: Keys.start.expected), at: Keys.start)
        }
        let times = (section.read(Keys.start), section.read(Keys.warning), section.read(Keys.final))
        guard case (let start?, let warning?, let final?) = times else { return nil }
        do throws(TimerEngine.ThresholdsError) {
            let thresholds = try TimerEngine.Thresholds(start: start, warning: warning, final: final)
            if final == 1 {
                section.report(
                    .other("found 1, which counts as off; write 0 for none, or 2 or more"), at: Keys.final,
                    severity: .warning)
            }
            return thresholds
        } catch {
            let key =
                switch error.fault {
                case .start: Keys.start
                case .warning: Keys.warning
                case .final: Keys.final
                }
            section.report(.other(error.description), at: key)
            return nil
        }
    }
}
