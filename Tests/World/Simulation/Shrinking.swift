package import WorldChecker

extension Story {
    /// Returns the shortest story found that breaks the same law, by leaving out events and the time after the
    /// difference.
    ///
    /// - Parameter limit: how many stories to play at most.
    package func shrunk(breaking violation: Violation, limit: Int = 400) -> (story: Story, violation: Violation) {
        var (best, found) = (self, violation)
        best.events.removeAll { $0.time > violation.time }
        best.duration = min(duration, violation.time)
        var plays = 0
        let fails = { (story: Story) -> Violation? in
            plays += 1
            guard let other = World.play(story).violation, other.law == violation.law else { return nil }
            return other
        }
        if fails(best) == nil { return (self, violation) }
        var size = max(1, best.events.count / 2)
        while true {
            var start = 0
            while start < best.events.count, plays < limit {
                var shorter = best
                shorter.events.removeSubrange(start..<min(start + size, shorter.events.count))
                if let other = fails(shorter) {
                    (best, found) = (shorter, other)
                    best.duration = min(best.duration, other.time)
                } else {
                    start += size
                }
            }
            if size == 1 || plays >= limit { break }
            size = max(1, size / 2)
        }
        return (best, found)
    }
}
