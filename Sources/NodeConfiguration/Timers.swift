internal import FoundationEssentials
package import TimerEngine
internal import TimerProtocol

extension NodeConfiguration {
    /// `timers`: the timers of a node that has none saved.
    package struct Timers: Hashable, Sendable {
        /// The groups and the settings. A timer's id is made from its place, so that it is the same at each start.
        package let model: TimerModel
        /// Whether commands that edit timers are refused.
        package var isReadOnly = false

        /// Timers in groups. Their ids are replaced.
        ///
        /// - Throws: ``ModelError`` where the groups are no model.
        package init(groups: [TimerGroup], settings: TimerModel.Settings = .init()) throws(ModelError) {
            model = try TimerModel(groups: Self.identified(groups), settings: settings)
        }

        /// One timer in one group; by default of 5:00, 1:00, 0:15.
        package init(
            name: String = "Timer",
            thresholds: Thresholds = .zero.setting(start: 300).setting(warning: 60)
                .setting(final: 15), settings: TimerModel.Settings = .init()
        ) {
            let group = TimerGroup(name: "Timers", timers: [TimerItem(name: name, thresholds: thresholds)])
            // One group with one timer is always a model.
            model = (try? TimerModel(groups: Self.identified([group]), settings: settings)) ?? TimerModel()
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
    /// The id of the configured timer at a path. It is the same at each start, so that a saved state finds its timer.
    package init(configured path: TimerPath) {
        let group = UInt16(truncatingIfNeeded: path.group + 1)
        self.init(
            uuid: (
                0x74, 0x69, 0x6D, 0x65, 0x72, 0x2D, 0x8E, 0x6F, 0x80, 0x64, 0x65, 0, 0, UInt8(group >> 8),
                UInt8(group & 0xFF), UInt8(truncatingIfNeeded: path.item + 1)
            ))
    }
}

extension NodeConfiguration.Timers {
    /// The section as it is written.
    private struct Draft {
        var settings = TimerModel.Settings()
        var groups: [TimerGroup]?
        /// All other properties, which do not depend on the groups.
        var timers = NodeConfiguration.Timers()
    }

    private static let keys = Keys(
        prototype: Draft(),
        .optional(
            "settings", \.settings, .section(settingsKeys), absent: "the defaults", "How the timers are used."),
        .optional(
            "groups", \.groups, .list(of: TimerGroup.schema, count: 1...64, "a list of 1 to 64 groups"),
            absent: "one timer of 5:00, 1:00 and 0:15", "The groups in their order, each a sequence of timers."),
        .optional(
            "read_only", \.timers.isReadOnly, .bool,
            "Whether the commands `edit` and `timers` are refused. Edits stay until `timers` changes in this file; "
                + "then they are set aside.")
    )

    private static let settingsKeys = Keys(
        prototype: TimerModel.Settings(),
        .optional(
            "start_timer_immediately", \.startTimerImmediately, .bool,
            "Whether selecting a timer by `next`, `previous` or play starts it at once.")
    )

    package static let schema: Schema<Self> = .section(keys) { section in
        let draft = section.readAll()
        if section.isFaulty(\.groups) { return nil }
        var timers = Self(settings: draft.settings)
        if let groups = draft.groups {
            // The number of groups and timers is right by now. Only a group with a fault of its own is no model.
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
        .optional("display", \.display, .oneOf, "How its time is shown."),
        .optional(
            "alarm", \.alarm, .oneOf, absent: "the profile's",
            "What its alarm does besides its lamps: `sound` on the output `buzzer`, `vibrate` on the output "
                + "`vibrate`."),
        .optional(
            "sound", \.sound, .patternOrNone, absent: "the profile's",
            "The pattern of the alarm's sound; `none` for silence."),
        .optional(
            "transition", \.transition, .patternOrNone, absent: "the profile's",
            "The pattern sounded between two timers; `none` for silence."),
        .optional(
            "at_zero", \.atZero, .oneOf,
            "What follows when a timer reaches zero: the next timer of the group, or the alarm."),
        .required(
            "timers", \.timers,
            .list(of: TimerItem.schema, count: 1...capacity, "a list of 1 to \(capacity) timers"),
            "The timers in their order.")
    )

    fileprivate static let schema: Schema<Self> = .section(keys) { section in
        var group = section.readAll()
        // Written as none, the alarm is silent. Without the key the profile decides.
        if section.has(\.alarm), group.alarm == .none {
            if let sound = group.sound, sound != silent {
                section.report(.other("not used: the alarm is none"), at: \.sound, severity: .warning)
            }
            group.sound = silent
        }
        return group
    }
}
