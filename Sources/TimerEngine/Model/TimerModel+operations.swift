extension TimerModel {
    /// Inserts a new timer at a path: into a group (item 0…count), or as a new group at the end (group = count, item
    /// 0).
    ///
    /// - Parameters:
    ///   - timer: The timer, by default with times 0/0/0.
    ///   - path: The new path.
    ///   - group: The template for a new group; its timers are ignored.
    /// - Throws: ``ModelError/groupFull(_:count:)``, ``ModelError/noPlace(at:)``, ``ModelError/duplicateID(_:)``.
    public mutating func create(
        _ timer: TimerItem = TimerItem(), at path: TimerPath, newGroup group: TimerGroup = TimerGroup()
    ) throws(ModelError) {
        try change { (groups) throws(ModelError) in try groups.insert(timer, at: path, newGroup: group) }
    }

    /// Moves a timer. The settings of the target group apply to it; a group left empty is removed.
    ///
    /// - Parameters:
    ///   - source: The current path.
    ///   - target: The new path, in the model without this timer. A group that the timer leaves empty still counts.
    ///   - group: The template for a new group; its timers are ignored.
    /// - Throws: ``ModelError/noTimer(at:)``, ``ModelError/groupFull(_:count:)``, ``ModelError/noPlace(at:)``.
    public mutating func move(
        _ source: TimerPath, to target: TimerPath, newGroup group: TimerGroup = TimerGroup()
    ) throws(ModelError) {
        let timer = try timer(at: source)
        try change { (groups) throws(ModelError) in
            groups[source.group].timers.remove(at: source.item)
            try groups.insert(timer, at: target, newGroup: group)
        }
    }

    /// Deletes a timer. If it was selected, the selection moves to the same position, clamped.
    ///
    /// - Throws: ``ModelError/noTimer(at:)``, ``ModelError/lastTimer``.
    public mutating func delete(_ path: TimerPath) throws(ModelError) {
        _ = try timer(at: path)
        try change { $0[path.group].timers.remove(at: path.item) }
    }

    /// Edits a timer.
    ///
    /// - Throws: ``ModelError/noTimer(at:)``; ``ModelError/duplicateID(_:)`` if it is replaced by a timer whose id
    ///   another timer already has.
    public mutating func edit(_ path: TimerPath, _ body: (inout TimerItem) -> Void) throws(ModelError) {
        _ = try timer(at: path)
        try change { body(&$0[path.group].timers[path.item]) }
    }

    /// Edits a group.
    ///
    /// - Throws: ``ModelError/noGroup(_:)``; if its timers are changed, also ``ModelError/groupFull(_:count:)``,
    ///   ``ModelError/duplicateID(_:)`` and ``ModelError/lastTimer``.
    public mutating func editGroup(_ group: Int, _ body: (inout TimerGroup) -> Void) throws(ModelError) {
        guard groups.indices.contains(group) else { throw .noGroup(group) }
        try change { body(&$0[group]) }
    }
}

extension [TimerGroup] {
    fileprivate mutating func insert(
        _ timer: TimerItem, at path: TimerPath, newGroup: TimerGroup
    ) throws(ModelError) {
        if path == TimerPath(group: count, item: 0) {
            var group = newGroup
            group.timers = [timer]
            append(group)
        } else if indices.contains(path.group), (0...self[path.group].timers.count).contains(path.item) {
            self[path.group].timers.insert(timer, at: path.item)
        } else {
            throw .noPlace(at: path)
        }
    }
}

extension TimerModel {
    /// Inserts a new group at a position, before the group that is there, or after the last group.
    ///
    /// - Parameters:
    ///   - group: The group, with its timers.
    ///   - place: The position, 0…count; by default after the last group.
    /// - Throws: ``ModelError/noPlaceForGroup(_:)``, ``ModelError/emptyGroup``, ``ModelError/groupFull(_:count:)``,
    ///   ``ModelError/duplicateID(_:)``.
    public mutating func createGroup(_ group: TimerGroup, at place: Int? = nil) throws(ModelError) {
        let place = place ?? groups.count
        guard (0...groups.count).contains(place) else { throw .noPlaceForGroup(place) }
        guard !group.timers.isEmpty else { throw .emptyGroup }
        try change { $0.insert(group, at: place) }
    }

    /// Moves a group with its timers; the selected timer stays selected.
    ///
    /// - Parameters:
    ///   - source: The current position.
    ///   - target: The new position, in the model without this group.
    /// - Throws: ``ModelError/noGroup(_:)``, ``ModelError/noPlaceForGroup(_:)``.
    public mutating func moveGroup(_ source: Int, to target: Int) throws(ModelError) {
        guard groups.indices.contains(source) else { throw .noGroup(source) }
        guard groups.indices.contains(target) else { throw .noPlaceForGroup(target) }
        try change { $0.insert($0.remove(at: source), at: target) }
    }

    /// Inserts a copy of a group right after the original. The copied timers get new ids.
    ///
    /// - Throws: ``ModelError/noGroup(_:)``.
    public mutating func duplicateGroup(_ place: Int) throws(ModelError) {
        guard groups.indices.contains(place) else { throw .noGroup(place) }
        var copy = groups[place]
        copy.timers = copy.timers.map { $0.identified() }
        try createGroup(copy, at: place + 1)
    }

    /// Deletes a group with its timers. If one of them was selected, the selection moves to the same position, clamped.
    ///
    /// - Throws: ``ModelError/noGroup(_:)``, ``ModelError/lastTimer`` if it is the only group.
    public mutating func deleteGroup(_ place: Int) throws(ModelError) {
        guard groups.indices.contains(place) else { throw .noGroup(place) }
        try change { $0.remove(at: place) }
    }
}

extension TimerModel {
    /// The range of the actions next and previous.
    public enum Reach: Hashable, Sendable {
        /// Only within the group.
        case group
        /// Across groups, throughout the model.
        case model
    }

    /// Returns the path of the timer after `path`.
    ///
    /// - Throws: ``ModelError/noNext(after:)`` at the end.
    public func next(after path: TimerPath, within reach: Reach = .group) throws(ModelError) -> TimerPath {
        guard let next = paths.first(where: { $0 > path && (reach == .model || $0.group == path.group) })
        else { throw .noNext(after: path) }
        return next
    }

    /// Returns the path of the timer before `path`.
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

    /// Selects the timer after the selected one; after the last of the group, its first timer.
    public mutating func advance() {
        selected.item = (selected.item + 1) % selectedGroup.timers.count
    }

    /// Returns the path of the timer that follows in a sequence when the one at `path` reaches zero: the next one in
    /// its group with a starting time above 0. Returns nil if there is none or the group does not continue at zero.
    public func successor(of path: TimerPath) -> TimerPath? {
        guard self[path] != nil, groups[path.group].atZero == .next else { return nil }
        let timers = groups[path.group].timers
        let next = timers.indices.first { $0 > path.item && timers[$0].thresholds.start > 0 }
        return next.map { TimerPath(group: path.group, item: $0) }
    }
}
