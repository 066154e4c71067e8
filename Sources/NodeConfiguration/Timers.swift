internal import FoundationEssentials
package import TimerEngine
internal import TimerProtocol

extension NodeConfiguration {
    /// `timers`: the timers of a node that has none saved.
    package struct Timers: Hashable, Sendable {
        /// The groups and the settings. A timer's id depends only on its position, so it is the same at each start.
        package let model: TimerModel
        /// Whether commands that edit timers are refused.
        package var isReadOnly = false

        /// Creates timers in groups. Their ids are replaced.
        ///
        /// - Throws: ``ModelError`` if the groups are not a valid model.
        package init(groups: [TimerGroup], settings: TimerModel.Settings = .init()) throws(ModelError) {
            model = try TimerModel(groups: Self.identified(groups), settings: settings)
        }

        /// Creates one timer in one group; by default with 5:00, 1:00 and 0:15.
        package init(
            name: String = "Timer",
            thresholds: Thresholds = .zero.setting(start: 300).setting(warning: 60)
                .setting(final: 15), settings: TimerModel.Settings = .init()
        ) {
            let id = UUID(configured: TimerPath(group: 0, item: 0))
            model = TimerModel(
                timer: TimerItem(id: id, name: name, thresholds: thresholds), in: TimerGroup(name: "Timers"),
                settings: settings)
        }

        private static func identified(_ groups: [TimerGroup]) -> [TimerGroup] {
            groups.enumerated().map { place, group in
                var group = group
                group.timers = group.timers.enumerated().map { index, timer in
                    timer.identified(by: UUID(configured: TimerPath(group: place, item: index)))
                }
                return group
            }
        }
    }
}

extension UUID {
    /// The id of the configured timer at a path. It is the same at each start, so a saved state finds its timer.
    package init(configured path: TimerPath) {
        self.init(
            uuid: (
                0x74, 0x69, 0x6D, 0x65, 0x72, 0x2D, 0x8E, 0x6F, 0x80, 0x64, 0x65, 0, 0, 0,
                UInt8(truncatingIfNeeded: path.group + 1), UInt8(truncatingIfNeeded: path.item + 1)
            ))
    }
}

extension NodeConfiguration.Timers {
    /// The section as written in the file.
    private struct Draft {
        var settings = TimerModel.Settings()
        var groups: [TimerGroup]?
        /// All other properties, which do not depend on the groups.
        var timers = NodeConfiguration.Timers()
    }

    private static let keys = Keys(
        prototype: Draft(),
        .optional(
            "settings", \.settings, .section(settingsKeys), absent: "the defaults", "Settings for all timers."),
        .optional(
            "groups", \.groups, .list(of: TimerGroup.schema, count: 1...64, "a list of 1 to 64 groups"),
            absent: "one timer of 5:00, 1:00 and 0:15", "The groups in order, each a sequence of timers."),
        .optional(
            "read_only", \.timers.isReadOnly, .bool,
            "Whether the commands `edit` and `timers` are refused. When `timers` changes in this file, saved edits are "
                + "set aside.")
    )

    private static let settingsKeys = Keys(
        prototype: TimerModel.Settings(),
        .optional(
            "start_timer_immediately", \.startTimerImmediately, .bool,
            "Whether selecting a timer with `next`, `previous` or play starts it at once.")
    )

    package static let schema: Schema<Self> = .section(keys) { section in
        let draft = section.readAll()
        if section.isFaulty(\.groups) { return nil }
        var timers = Self(settings: draft.settings)
        if let groups = draft.groups {
            // The numbers of groups and timers have been checked. The model is invalid only if a group has a fault.
            guard let model = try? Self(groups: groups, settings: draft.settings) else { return nil }
            timers = model
        }
        timers.isReadOnly = draft.timers.isReadOnly
        return timers
    }
}

extension TimerGroup {
    private static let keys = Keys(
        prototype: Self(name: "Timers"),
        .optional("name", \.name, .text(.name), "The group's name."),
        .optional("display", \.display, .oneOf, "How the time is shown."),
        .optional(
            "alarm", \.alarm, .oneOf, absent: "the profile's",
            "What the alarm uses besides the lamps: the output `buzzer` (`sound`) or `vibrate`, or both."),
        .optional(
            "sound", \.sound, .patternOrNone, absent: "the profile's",
            "The sound of the alarm."),
        .optional(
            "transition", \.transition, .patternOrNone, absent: "the profile's",
            "The sound between two timers."),
        .optional(
            "at_zero", \.atZero, .oneOf,
            "What follows when a timer reaches zero: the next timer or the alarm."),
        .optional(
            "budget", \.budget, .budget, absent: "none",
            "The time that all runs of the group may take together."),
        .required(
            "timers", \.timers,
            .list(of: TimerItem.schema, count: 1...capacity, "a list of 1 to \(capacity) timers"),
            "The timers in order.")
    )

    fileprivate static let schema: Schema<Self> = .section(keys) { section in
        var group = section.readAll()
        // With `alarm: none`, the alarm is silent. Without the key, the profile decides.
        if section.has(\.alarm), group.alarm == .none {
            if let sound = group.sound, sound != silent {
                section.report(.other("ignored: the alarm is `none`"), at: \.sound, severity: .warning)
            }
            group.sound = silent
        }
        return group
    }
}
