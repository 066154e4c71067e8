#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A matrix of timers: groups in order, each with its timers in order, and one of them selected.
///
/// It always holds at least one timer, no empty group and no group of more than ``TimerGroup/capacity``, and exactly one
/// timer is selected. An operation that is refused leaves it as it was. What runs is a ``TimerPlayer``'s affair.
public struct TimerModel: Hashable, Sendable {
    /// The groups in order.
    public private(set) var groups: [TimerGroup]
    /// Where the selected timer is.
    public internal(set) var selected: TimerPath
    /// What goes for the whole model.
    public var settings: Settings

    /// A model of one group with one timer of 0/0/0.
    public init() {
        groups = [TimerGroup(timers: [TimerItem()])]
        selected = TimerPath(group: 0, item: 0)
        settings = Settings()
    }

    /// A model of these groups; empty ones vanish, after the selection was read.
    ///
    /// - Throws: ``ModelError/lastTimer`` where there is no timer, ``ModelError/groupFull(_:count:)``,
    ///   ``ModelError/duplicateID(_:)``, or ``ModelError/noTimer(at:)`` where the selection is outside.
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
    /// The timer at a path, nil where there is none.
    public subscript(path: TimerPath) -> TimerItem? {
        guard groups.indices.contains(path.group), groups[path.group].timers.indices.contains(path.item)
        else { return nil }
        return groups[path.group].timers[path.item]
    }

    /// The timer at a path.
    ///
    /// - Throws: ``ModelError/noTimer(at:)`` where there is none.
    public func timer(at path: TimerPath) throws(ModelError) -> TimerItem {
        guard let timer = self[path] else { throw .noTimer(at: path) }
        return timer
    }

    /// The selected timer.
    public var selectedTimer: TimerItem { selectedGroup.timers[selected.item] }

    /// The selected timer's group.
    public var selectedGroup: TimerGroup { groups[selected.group] }

    /// All paths in order.
    public var paths: [TimerPath] {
        groups.indices.flatMap { group in
            groups[group].timers.indices.map { TimerPath(group: group, item: $0) }
        }
    }

    /// Where the timer with this id is, nil where there is none.
    public func path(of id: UUID) -> TimerPath? {
        paths.first { self[$0]?.id == id }
    }
}

// MARK: - Changing

extension TimerModel {
    /// Selects a timer.
    ///
    /// - Throws: ``ModelError/noTimer(at:)`` where there is none.
    public mutating func select(_ path: TimerPath) throws(ModelError) {
        _ = try timer(at: path)
        selected = path
    }

    /// Changes the groups as a whole: all of it or, where the result is no model, nothing.
    ///
    /// Groups that are left empty vanish. The selection stays with its timer; where that one is gone it passes to the
    /// same place, clamped.
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
