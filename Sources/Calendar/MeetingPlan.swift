internal import TimerProtocol

/// When a meeting begins, made ready for looking it up. Instants are seconds since 1970, days are days since 1970.
struct MeetingPlan: Hashable, Sendable {
    private let rules: TimeZoneRules
    /// The weekdays on which it begins: bit 0 for Monday to bit 6 for Sunday, and the same again for the week after.
    private let weekdays: UInt16
    /// The dates on which it begins, ascending.
    private let dates: [Int]
    private let secondOfDay: Int
    /// How many seconds it lasts.
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
        // Whoever read the agenda has checked it. One that was not must not overflow here.
        let durations = Agenda.Meeting.durations
        duration = min(max(durations.lowerBound, meeting.duration), durations.upperBound)
    }

    /// The begins from an instant to another one, ascending.
    func begins(from: Int, through: Int) -> [Int] {
        var begins: [Int] = []
        guard from <= through else { return begins }
        // Clocks that are set back over midnight show the next day before.
        let lastDay = rules.local(of: through).day + 1
        // A time that clocks skip over midnight begins on the day that follows.
        var day = rules.local(of: from).day - 1
        var near = rules.stretch(at: from)
        while let next = self.day(from: day), next <= lastDay {
            let begin = begin(on: next, near: &near)
            // Where a zone skips a whole day, that day and the next one may begin at the same instant.
            if (from...through).contains(begin), begin != begins.last { begins.append(begin) }
            day = next + 1
        }
        return begins
    }

    /// The first begin after an instant; nil where there is none.
    func begin(after instant: Int) -> Int? {
        // What begins on an earlier day has begun by then, since that day comes first.
        var day = rules.local(of: instant).day
        var near = rules.stretch(at: instant)
        while let next = self.day(from: day) {
            let begin = begin(on: next, near: &near)
            if begin > instant { return begin }
            day = next + 1
        }
        return nil
    }

    /// The first end after an instant; nil where there is none.
    func end(after instant: Int) -> Int? { begin(after: instant - duration).map { $0 + duration } }

    private func begin(on day: Int, near: inout TimeZoneRules.Stretch) -> Int {
        rules.instant(ofLocal: day * 86_400 + secondOfDay, near: &near)
    }

    /// The first day from `day` on, on which it begins; nil where there is none.
    private func day(from day: Int) -> Int? {
        let date = date(from: day)
        guard weekdays != 0 else { return date }
        let next = day + (weekdays >> Weekday.index(daysSince1970: day)).trailingZeroBitCount
        return min(next, date ?? next) <= CivilDate.days.upperBound ? min(next, date ?? next) : nil
    }

    /// The first of the dates from `day` on.
    private func date(from day: Int) -> Int? {
        var (low, high) = (0, dates.count)
        while low < high {
            let middle = (low + high) / 2
            if dates[middle] < day { low = middle + 1 } else { high = middle }
        }
        return low < dates.count ? dates[low] : nil
    }
}
