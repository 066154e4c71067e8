internal import TimerEngine
internal import TimerProtocol

extension TimerItem {
    /// A timer as written in the file: with `start`, `warning` and `final`, or with cards.
    fileprivate struct Draft {
        var timer = TimerItem(name: "Timer")
        var start: Int?
        var warning = 0
        var final = 0
        var min: Int?
        var mid: Int?
        var max: Int?
        var minimum = 0
        var maximum = 0
    }

    private static let keys = Keys(
        prototype: Draft(),
        .optional("name", \.timer.name, .text(.name), "The timer's name."),
        .optional(
            "start", \.start, .time, absent: "required, unless `min`, `mid` and `max` are set",
            "The time that a run starts with, up to 23:59:59."),
        .optional(
            "warning", \.warning, .time, "The time left when the warning begins, less than `start`; 0 for none."),
        .optional(
            "final", \.final, .time,
            "The time left when the final mode begins, less than `warning`, or less than `start` without a warning; 0 for none."
        ),
        .optional(
            "min", \.min, .time, absent: "none",
            "The elapsed time at which the warning begins; requires `mid` and `max`, and replaces `start`."),
        .optional(
            "mid", \.mid, .time, absent: "none", "The elapsed time at which the final mode begins, more than `min`."),
        .optional("max", \.max, .time, absent: "none", "The elapsed time at which the alarm begins, more than `mid`."),
        .optional(
            "minimum", \.minimum, .time, absent: "`min`, or none",
            "The shortest qualifying time, for the report; 0 for none."),
        .optional(
            "maximum", \.maximum, .time, absent: "`max`, or none",
            "The longest qualifying time, for the report; 0 for none."),
        .optional(
            "carry", \.timer.carry, .bool,
            "Whether the timer keeps what is left when it is stopped, as a [time account](debates.md)."),
        .optional("event", \.timer.event, .text(.name), absent: "none", "What the timer is for."),
        .optional("location", \.timer.location, .text(.name), absent: "none", "Where it is used.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        let hasCards = section.has(\.min) || section.has(\.mid) || section.has(\.max)
        let thresholds = hasCards ? section.thresholdsOfCards() : section.thresholds()
        // The times have been read, unless the timer has cards instead.
        var timer = section.readAll(except: \.start, \.warning, \.final).timer
        timer.thresholds = thresholds ?? .zero
        timer.qualifying = section.qualifyingTime(hasCards: thresholds != nil) ?? .none
        return timer
    }
}

extension Section<TimerItem.Draft> {
    fileprivate func thresholds() -> Thresholds? {
        if !has(\.start) { reportMissing(\.start) }
        let draft = read(\.start, \.warning, \.final)
        guard let start = draft.start, !isFaulty(\.warning, \.final) else { return nil }
        do throws(TimerEngine.ThresholdsError) {
            let thresholds = try Thresholds(start: start, warning: draft.warning, final: draft.final)
            if draft.final == 1 {
                report(
                    .other("found 1, which counts as off; write 0 for none, or 2 or more"), at: \.final,
                    severity: .warning)
            }
            return thresholds
        } catch {
            let path: PartialKeyPath<TimerItem.Draft> =
                switch error.fault {
                case .start: \.start
                case .warning: \.warning
                case .final: \.final
                }
            report(.other(error.description), at: path)
            return nil
        }
    }

    /// How long a run may take to qualify: `min` and `max` of the cards, unless other times are set.
    ///
    /// - Parameter hasCards: whether the timer has cards, without faults.
    fileprivate func qualifyingTime(hasCards: Bool) -> QualifyingTime? {
        let draft = read(\.minimum, \.maximum)
        guard !isFaulty(\.minimum, \.maximum) else { return nil }
        let (min, max) = hasCards ? (draft.min, draft.max) : (nil, nil)
        do throws(QualifyingTimeError) {
            return try QualifyingTime(
                minimum: has(\.minimum) ? draft.minimum : min, maximum: has(\.maximum) ? draft.maximum : max)
        } catch {
            report(.other(error.description), at: has(\.minimum) ? \.minimum : \.maximum)
            return nil
        }
    }

    /// The thresholds of a timer with the cards of Toastmasters. Cards count the time used, not the time left: the
    /// green card, our warning, is shown at `min`, the yellow one, our final mode, at `mid`, and the red one, our
    /// alarm, at `max`.
    fileprivate func thresholdsOfCards() -> Thresholds? {
        for time in [\.start, \.warning, \.final] as [PartialKeyPath<TimerItem.Draft>] where has(time) {
            report(.other("found \(name(of: time)) together with min, mid or max, expected one or the other"), at: time)
        }
        for card in [\.min, \.mid, \.max] as [PartialKeyPath<TimerItem.Draft>] {
            if !has(card) { reportMissing(card) }
            read(card)
        }
        guard let min = draft.min, let mid = draft.mid, let max = draft.max else { return nil }
        let longest = Thresholds.longest
        if min < 1 {
            report(.other("min \(min) is less than 1"), at: \.min)
        } else if mid <= min {
            report(.other("mid \(mid) is not above min \(min)"), at: \.mid)
        } else if max <= mid {
            report(.other("max \(max) is not above mid \(mid)"), at: \.max)
        } else if max > longest {
            report(.other("max \(max) is above \(longest)"), at: \.max)
        } else {
            if max - mid == 1 {
                report(
                    .other("found one second between mid and max, which counts as none; there will be no yellow"),
                    at: \.mid, severity: .warning)
            }
            return try? Thresholds(start: max, warning: max - min, final: max - mid)
        }
        return nil
    }
}
