extension TimerModel {
    /// How far next and previous can go.
    public enum Reach: Hashable, Sendable {
        /// Only within the group.
        case group
        /// Into neighbouring groups, throughout the model.
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

    /// Selects the timer after the selected one; after the last of the group, its first.
    public mutating func advance() {
        selected.item = (selected.item + 1) % selectedGroup.timers.count
    }

    /// The timer that follows in a sequence when the one at `path` reaches zero: the next of its group that has time.
    /// It is nil if there is none or the group does not continue at zero.
    public func successor(of path: TimerPath) -> TimerPath? {
        guard self[path] != nil, groups[path.group].atZero == .next else { return nil }
        let timers = groups[path.group].timers
        let next = timers.indices.first { $0 > path.item && timers[$0].thresholds.start > 0 }
        return next.map { TimerPath(group: path.group, item: $0) }
    }
}
