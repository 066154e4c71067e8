internal import TimerEngine

// The times of a timer as Toastmasters say them: what has passed when each card is shown, not what is left.
extension TimerItem {
    /// The keys of a timer's cards.
    enum CardKeys {
        static let min = Key(
            "min", .time, absent: "none", "With `mid` and `max` in the place of `start`: when the warning begins.")
        static let mid = Key("mid", .time, absent: "none", "When the final mode begins, after `min`.")
        static let max = Key("max", .time, absent: "none", "When the alarm comes, after `mid`.")

        static let all: [any DeclaredKey] = [min, mid, max]
    }

    /// The thresholds of a timer with cards: green, which is warning, from `min`; yellow, final, from `mid`; red, the
    /// alarm, from `max`.
    static func thresholds(ofCards section: Section) -> TimerEngine.Thresholds? {
        for key in [Keys.start, Keys.warning, Keys.final] where section.node(key) != nil {
            section.report(.other("found \(key.name) beside min, mid and max, expected one or the other"), at: key)
        }
        let times = [CardKeys.min, CardKeys.mid, CardKeys.max].map { key -> Int? in
            if section.node(key) == nil {
                section.report(.unexpected(found: "nothing", expected: key.expected), at: key)
            }
            return section.read(key)
        }
        guard case (let min?, let mid?, let max?) = (times[0], times[1], times[2]) else { return nil }
        let faults: [(key: Key<Int>, isFault: Bool, text: String)] = [
            (CardKeys.min, min < 1, "min \(min) is less than 1"),
            (CardKeys.mid, mid <= min, "mid \(mid) is not above min \(min)"),
            (CardKeys.max, max <= mid, "max \(max) is not above mid \(mid)"),
            (
                CardKeys.max, max > TimerEngine.Thresholds.longest,
                "max \(max) is above \(TimerEngine.Thresholds.longest)"
            ),
        ]
        if let fault = faults.first(where: \.isFault) {
            section.report(.other(fault.text), at: fault.key)
            return nil
        }
        if max - mid == 1 {
            section.report(
                .other("found a second between mid and max, which counts as none; there will be no yellow"),
                at: CardKeys.mid, severity: .warning)
        }
        return try? TimerEngine.Thresholds(start: max, warning: max - min, final: max - mid)
    }
}
