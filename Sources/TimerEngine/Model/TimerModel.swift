#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A matrix of timers: ordered groups of ordered timers, one of which is selected.
///
/// A model always has at least one timer, no empty group, no group of more than ``TimerGroup/capacity`` timers, and
/// exactly one selected timer. A refused operation changes nothing. A ``TimerPlayer`` runs the timers.
public struct TimerModel: Hashable, Sendable {
    /// The groups in order.
    public private(set) var groups: [TimerGroup]
    /// The path of the selected timer.
    public internal(set) var selected: TimerPath
    /// The settings of the whole model.
    public var settings: Settings

    /// Creates a model of one group with one timer of 0/0/0.
    public init() { self.init(timer: TimerItem()) }

    /// Creates a model of one group with one timer. Unlike other models, it is always valid.
    package init(timer: TimerItem, in group: TimerGroup = TimerGroup(), settings: Settings = Settings()) {
        var group = group
        group.timers = [timer]
        groups = [group]
        selected = TimerPath(group: 0, item: 0)
        self.settings = settings
    }

    /// Creates a model of these groups. `selected` counts empty groups, which are then removed.
    ///
    /// - Throws: ``ModelError/lastTimer`` if there is no timer, ``ModelError/groupFull(_:count:)``,
    ///   ``ModelError/duplicateID(_:)``, or ``ModelError/noTimer(at:)`` if there is no timer at `selected`.
    public init(
        groups: [TimerGroup], selected: TimerPath = TimerPath(group: 0, item: 0), settings: Settings = Settings()
    ) throws(ModelError) {
        self.groups = groups
        self.selected = selected
        self.settings = settings
        let all = groups
        if all.allSatisfy({ $0.timers.isEmpty }) { throw .lastTimer }
        guard self[selected] != nil else { throw .noTimer(at: selected) }
        try change { _ in }
    }
}

// MARK: - Reading

extension TimerModel {
    /// The timer at a path; nil if no timer has this path.
    public subscript(path: TimerPath) -> TimerItem? {
        guard groups.indices.contains(path.group), groups[path.group].timers.indices.contains(path.item)
        else { return nil }
        return groups[path.group].timers[path.item]
    }

    /// Returns the timer at a path.
    ///
    /// - Throws: ``ModelError/noTimer(at:)`` if there is none.
    public func timer(at path: TimerPath) throws(ModelError) -> TimerItem {
        guard let timer = self[path] else { throw .noTimer(at: path) }
        return timer
    }

    /// The selected timer.
    public var selectedTimer: TimerItem { selectedGroup.timers[selected.item] }

    /// The group of the selected timer.
    public var selectedGroup: TimerGroup { groups[selected.group] }

    /// All paths in order.
    public var paths: [TimerPath] {
        groups.indices.flatMap { group in
            groups[group].timers.indices.map { TimerPath(group: group, item: $0) }
        }
    }

    /// Returns the path of the timer with this id, or nil if there is none.
    public func path(of id: UUID) -> TimerPath? {
        paths.first { self[$0]?.id == id }
    }
}

// MARK: - Changing

extension TimerModel {
    /// Selects a timer.
    ///
    /// - Throws: ``ModelError/noTimer(at:)`` if there is none.
    public mutating func select(_ path: TimerPath) throws(ModelError) {
        _ = try timer(at: path)
        selected = path
    }

    /// Changes the groups atomically: if the result is not a valid model, nothing changes.
    ///
    /// Empty groups are removed. The selected timer stays selected; if it is gone, the selection moves to the same
    /// position, clamped.
    mutating func change(_ body: (inout [TimerGroup]) throws(ModelError) -> Void) throws(ModelError) {
        var next = self
        try body(&next.groups)
        next.groups.removeAll { $0.timers.isEmpty }
        try next.check()
        next.selected = next.path(of: selectedTimer.id) ?? next.clamped(selected)
        self = next
    }

    private func check() throws(ModelError) {
        if groups.isEmpty { throw .lastTimer }
        if let full = groups.firstIndex(where: { $0.timers.count > TimerGroup.capacity }) {
            throw .groupFull(full, count: groups[full].timers.count)
        }
        var ids: Set<UUID> = []
        for timer in groups.flatMap(\.timers) where !ids.insert(timer.id).inserted {
            throw .duplicateID(timer.id)
        }
    }

    private func clamped(_ path: TimerPath) -> TimerPath {
        let group = min(path.group, groups.count - 1)
        return TimerPath(group: group, item: min(path.item, groups[group].timers.count - 1))
    }
}

extension TimerModel {
    /// The settings of a whole model.
    public struct Settings: Hashable, Sendable {
        /// Whether a timer selected by next, previous or play starts at once; otherwise it stays stopped.
        public var startTimerImmediately: Bool

        /// Creates the settings of a new model.
        public init(startTimerImmediately: Bool = true) {
            self.startTimerImmediately = startTimerImmediately
        }
    }
}
