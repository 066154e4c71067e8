extension TimerModel {
    /// How far next and previous go.
    public enum Reach: Hashable, Sendable {
        /// To the ends of the group.
        case group
        /// On into the neighbouring group, to the ends of the model.
        case model
    }

    /// The timer after a path.
    ///
    /// - Throws: ``ModelError/noNext(after:)`` at the end.
    public func next(after path: TimerPath, within reach: Reach = .group) throws(ModelError) -> TimerPath {
        guard let next = paths.first(where: { $0 > path && (reach == .model || $0.group == path.group) })
        else { throw .noNext(after: path) }
        return next
    }

    /// The timer before a path.
    ///
    /// - Throws: ``ModelError/noPrevious(before:)`` at the beginning.
    public func previous(before path: TimerPath, within reach: Reach = .group) throws(ModelError) -> TimerPath {
        guard let previous = paths.last(where: { $0 < path && (reach == .model || $0.group == path.group) })
        else { throw .noPrevious(before: path) }
        return previous
    }

    /// Selects the timer after the selected one.
    ///
    /// - Throws: ``ModelError/noNext(after:)`` at the end.
    public mutating func selectNext(within reach: Reach = .group) throws(ModelError) {
        selected = try next(after: selected, within: reach)
    }

    /// Selects the timer before the selected one.
    ///
    /// - Throws: ``ModelError/noPrevious(before:)`` at the beginning.
    public mutating func selectPrevious(within reach: Reach = .group) throws(ModelError) {
        selected = try previous(before: selected, within: reach)
    }

    /// Selects the timer after the selected one, and after the group's last one its first.
    public mutating func advance() {
        selected.item = (selected.item + 1) % selectedGroup.timers.count
    }

    /// The timer that a sequence goes on with when the one at `path` reaches zero: the next of its group that has time,
    /// nil where there is none or the group does not go on.
    public func successor(of path: TimerPath) -> TimerPath? {
        guard self[path] != nil, groups[path.group].atZero == .next else { return nil }
        let timers = groups[path.group].timers
        let next = timers.indices.first { $0 > path.item && timers[$0].thresholds.start > 0 }
        return next.map { TimerPath(group: path.group, item: $0) }
    }
}
