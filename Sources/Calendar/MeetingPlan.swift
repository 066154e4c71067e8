internal import FoundationEssentials
internal import TimerProtocol

/// When a meeting begins, prepared for fast lookups. Instants are in seconds since 1970, days in days since 1970.
struct MeetingPlan: Hashable, Sendable {
    private let rules: TimeZoneRules
    /// The weekdays on which it begins: bit 0 for Monday to bit 6 for Sunday, repeated for the week after.
    private let weekdays: UInt16
    /// The dates on which it begins, ascending.
    private let dates: [Int]
    private let secondOfDay: Int
    /// How long it lasts, in seconds.
    let duration: Int

    init(_ meeting: Agenda.Meeting, in rules: TimeZoneRules) {
        self.rules = rules
        var (weekdays, dates) = (UInt16(0), Set<Int>())
        for day in meeting.days {
            switch day {
            case .weekday(let weekday): weekdays |= 1 << (Weekday.allCases.firstIndex(of: weekday) ?? 0)
            case .date(let date): dates.insert(date.daysSince1970)
            }
        }
        self.weekdays = weekdays | weekdays << 7
        self.dates = dates.sorted()
        secondOfDay = meeting.at.secondOfDay
        // The code that read the agenda has checked it, but an unchecked one must not cause an overflow here.
        let durations = Agenda.Meeting.durations
        duration = min(max(durations.lowerBound, meeting.duration), durations.upperBound)
    }

    /// Returns the start times from `from` through `through`, in ascending order.
    func begins(from: Int, through: Int) -> [Int] {
        var begins: [Int] = []
        guard from <= through else { return begins }
        // If clocks are set back over midnight, they have already shown the next day.
        let lastDay = rules.local(of: through).day + 1
        // If clocks are set forward over midnight, a meeting at a skipped time begins on the following day.
        var day = rules.local(of: from).day - 1
        var near = rules.stretch(at: from)
        while let next = self.day(from: day), next <= lastDay {
            let begin = begin(on: next, near: &near)
            // If a zone skips a whole day, the meetings of that day and of the next may begin at the same instant.
            if (from...through).contains(begin), begin != begins.last { begins.append(begin) }
            day = next + 1
        }
        return begins
    }

    /// Returns the first start time after an instant, or nil if there is none.
    func begin(after instant: Int) -> Int? {
        // A meeting on an earlier day has begun by then, so the search starts on the day of the instant.
        var day = rules.local(of: instant).day
        var near = rules.stretch(at: instant)
        while let next = self.day(from: day) {
            let begin = begin(on: next, near: &near)
            if begin > instant { return begin }
            day = next + 1
        }
        return nil
    }

    /// Returns the first end time after an instant, or nil if there is none.
    func end(after instant: Int) -> Int? { begin(after: instant - duration).map { $0 + duration } }

    private func begin(on day: Int, near: inout TimeZoneRules.Stretch) -> Int {
        rules.instant(ofLocal: day * 86_400 + secondOfDay, near: &near)
    }

    /// Returns the first day on which the meeting begins, not before `day`, or nil if there is none.
    private func day(from day: Int) -> Int? {
        let date = date(from: day)
        guard weekdays != 0 else { return date }
        let next = day + (weekdays >> Weekday.index(daysSince1970: day)).trailingZeroBitCount
        return min(next, date ?? next) <= CivilDate.days.upperBound ? min(next, date ?? next) : nil
    }

    /// Returns the first of the dates that is not before `day`, or nil if there is none.
    private func date(from day: Int) -> Int? {
        var (low, high) = (0, dates.count)
        while low < high {
            let middle = (low + high) / 2
            if dates[middle] < day { low = middle + 1 } else { high = middle }
        }
        return low < dates.count ? dates[low] : nil
    }
}
