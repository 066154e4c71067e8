internal import FoundationEssentials
package import TimerEngine

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
            thresholds: TimerEngine.Thresholds = .zero.setting(start: 300).setting(warning: 60)
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
