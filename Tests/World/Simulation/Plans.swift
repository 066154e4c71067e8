/// What is planned. Plans for the same time are kept in the order in which they were made.
struct Plans {
    private struct Plan {
        let time: Duration
        let action: () -> Void
    }

    /// The plans, the earliest last.
    private var plans: [Plan] = []

    var nextTime: Duration? { plans.last?.time }

    mutating func add(_ time: Duration, _ action: @escaping () -> Void) {
        var (low, high) = (0, plans.count)
        while low < high {
            let middle = (low + high) / 2
            if plans[middle].time > time { low = middle + 1 } else { high = middle }
        }
        plans.insert(Plan(time: time, action: action), at: low)
    }

    mutating func takeNext(before time: Duration) -> (() -> Void)? {
        guard let next = plans.last, next.time <= time else { return nil }
        return plans.removeLast().action
    }
}
