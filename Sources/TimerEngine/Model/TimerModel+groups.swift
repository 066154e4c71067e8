// What is done with a group as a whole.
extension TimerModel {
    /// Puts a new group before the one at a place, or behind the last one.
    ///
    /// - Parameters:
    ///   - group: The group, with its timers.
    ///   - place: Where it is to be, 0…count; by default behind the last one.
    /// - Throws: ``ModelError/noPlaceForGroup(_:)``, ``ModelError/emptyGroup``, ``ModelError/groupFull(_:count:)``,
    ///   ``ModelError/duplicateID(_:)``.
    public mutating func createGroup(_ group: TimerGroup, at place: Int? = nil) throws(ModelError) {
        let place = place ?? groups.count
        guard (0...groups.count).contains(place) else { throw .noPlaceForGroup(place) }
        guard !group.timers.isEmpty else { throw .emptyGroup }
        try change { $0.insert(group, at: place) }
    }

    /// Moves a group with its timers; the selection stays with its timer.
    ///
    /// - Parameters:
    ///   - source: Where it is.
    ///   - target: Where it is to be, in the model without it.
    /// - Throws: ``ModelError/noGroup(_:)``, ``ModelError/noPlaceForGroup(_:)``.
    public mutating func moveGroup(_ source: Int, to target: Int) throws(ModelError) {
        guard groups.indices.contains(source) else { throw .noGroup(source) }
        guard groups.indices.contains(target) else { throw .noPlaceForGroup(target) }
        try change { $0.insert($0.remove(at: source), at: target) }
    }

    /// Puts a copy of a group, with timers of their own ids, right behind it.
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

    /// Deletes a group with its timers; where one of them was selected the selection passes to the same place, clamped.
    ///
    /// - Throws: ``ModelError/noGroup(_:)``, ``ModelError/lastTimer`` where it is the only one.
    public mutating func deleteGroup(_ place: Int) throws(ModelError) {
        guard groups.indices.contains(place) else { throw .noGroup(place) }
        try change { $0.remove(at: place) }
    }
}
