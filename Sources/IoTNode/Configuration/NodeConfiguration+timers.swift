internal import FoundationEssentials
public import TimerEngine

extension NodeConfiguration {
    /// `timers`: the timers of a node that has none saved.
    public struct Timers: Hashable, Sendable {
        /// The groups with their timers, and the settings.
        ///
        /// A timer's id comes from its place, so that it is the same at each start.
        public let model: TimerModel
        /// Whether commands that edit timers are refused.
        public var isReadOnly = false

        /// Timers in groups; their ids are not taken over.
        ///
        /// - Throws: ``ModelError`` where the groups are no model.
        public init(groups: [TimerGroup], settings: TimerModel.Settings = .init()) throws(ModelError) {
            model = try TimerModel(groups: Self.identified(groups), settings: settings)
        }

        /// One timer in one group; by default of 5:00, 1:00, 0:15.
        public init(
            name: String = "Timer",
            thresholds: TimerEngine.Thresholds = .zero.setting(start: 300).setting(warning: 60)
                .setting(final: 15), settings: TimerModel.Settings = .init()
        ) {
            let group = TimerGroup(name: "Timers", timers: [TimerItem(name: name, thresholds: thresholds)])
            // One group with one timer always is a model.
            model = (try? TimerModel(groups: Self.identified([group]), settings: settings)) ?? TimerModel()
        }

        private static func identified(_ groups: [TimerGroup]) -> [TimerGroup] {
            groups.enumerated().map { place, group in
                var group = group
                group.timers = group.timers.enumerated().map { item, timer in
                    TimerItem(
                        id: UUID(configured: TimerPath(group: place, item: item)), name: timer.name,
                        thresholds: timer.thresholds, event: timer.event, location: timer.location)
                }
                return group
            }
        }
    }
}
