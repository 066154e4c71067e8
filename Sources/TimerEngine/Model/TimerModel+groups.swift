extension TimerModel {
    /// Inserts a new group before the one at a position, or after the last one.
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

    /// Inserts a copy of a group, whose timers get new ids, right after it.
    ///
    /// - Throws: ``ModelError/noGroup(_:)``.
    public mutating func duplicateGroup(_ place: Int) throws(ModelError) {
        guard groups.indices.contains(place) else { throw .noGroup(place) }
        var copy = groups[place]
        copy.timers = copy.timers.map { timer in
            TimerItem(
                name: timer.name, thresholds: timer.thresholds, event: timer.event, location: timer.location)
        }
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
