package import FoundationEssentials
package import TimerProtocol

/// A time zone: the offset of its clocks from UTC at any instant from 1970 to 9999.
///
/// It is created from the bytes of a TZif file (RFC 8536), which the caller reads. Foundation's time zones need ICU,
/// which is too large. An instant before 1970 or after 9999 is treated as the nearest one in that range.
package struct TimeZoneRules: Hashable, Sendable {
    /// A period without a change of the offset: from `start` until just before `end`, in seconds since 1970.
    struct Stretch: Hashable {
        let start: Int
        let end: Int
        let offset: Int
    }

    /// When each stretch in the table starts, in ascending order. The first stretch starts before any transition.
    private let starts: [Int]
    /// The offset of each stretch.
    private let offsets: [Int]
    /// The rule for the instants from ``tableEnd`` on; nil if the last offset applies forever.
    private let rule: DaylightRule?
    private let tableEnd: Int
    /// The TZif file that the rules were read from; nil for a zone that was created otherwise.
    package internal(set) var file: [UInt8]?

    /// An instant before all transitions.
    static let longAgo = Int.min / 2
    /// The table contains the changes by the rule up to this year, since a lookup is faster than a computation. Later
    /// changes are computed on demand.
    private static let lastTableYear = 2100

    /// UTC.
    package static let utc = TimeZoneRules(offset: 0)

    /// Creates a zone that has always had the same offset, in seconds ahead of UTC.
    init(offset: Int) { self.init(starts: [Self.longAgo], offsets: [offset], footer: .fixed(offset)) }

    /// Creates a zone from a table of transitions.
    ///
    /// - Parameters:
    ///   - starts: When the intervals start, in ascending order, ``longAgo`` first.
    ///   - offsets: The offset of each stretch.
    ///   - footer: The rule that applies from the last transition on; nil if the last offset stays in effect.
    init(starts: [Int], offsets: [Int], footer: TimeZoneFooter?) {
        var (starts, offsets) = (starts, offsets)
        var rule: DaylightRule?
        var tableEnd = Int.max
        switch footer {
        case nil: break
        case .fixed(let offset): offsets[offsets.count - 1] = offset
        case .daylight(let daylight):
            let last = starts[starts.count - 1]
            let first = starts.count == 1 ? 1969 : DaylightRule.year(of: last) - 1
            rule = daylight
            tableEnd = max(CivilDate.daysSince1970(Self.lastTableYear + 1, 1, 1) * 86_400, last)
            let changes = daylight.changes(in: min(first, Self.lastTableYear)...Self.lastTableYear + 1)
            if let before = changes.last(where: { $0.instant <= last }) { offsets[offsets.count - 1] = before.offset }
            for change in changes where change.instant > last && change.instant < tableEnd {
                starts.append(change.instant)
                offsets.append(change.offset)
            }
        }
        (self.starts, self.offsets, self.rule, self.tableEnd) = (starts, offsets, rule, tableEnd)
    }

    /// Returns the stretch that contains an instant.
    func stretch(at instant: Int) -> Stretch {
        if let rule, instant >= tableEnd { return rule.stretch(at: instant) }
        // The first stretch starts before all instants, so the search always finds one.
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= instant { low = middle } else { high = middle }
        }
        return Stretch(start: starts[low], end: high < starts.count ? starts[high] : tableEnd, offset: offsets[low])
    }
}

/// Rules are equal if their clocks show the same, whatever file they are from.
extension TimeZoneRules {
    package static func == (first: Self, second: Self) -> Bool {
        (first.starts, first.offsets, first.rule, first.tableEnd)
            == (second.starts, second.offsets, second.rule, second.tableEnd)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(starts)
        hasher.combine(offsets)
    }
}

// MARK: - Lookups

extension TimeZoneRules {
    /// Returns how many seconds the zone's clocks are ahead of UTC.
    package func offset(at date: Date) -> Int { stretch(at: date.wholeSeconds).offset }

    /// Returns the day and the second of the day that the zone's clocks show.
    package func local(of date: Date) -> (day: CivilDate, secondOfDay: Int) {
        let local = local(of: date.wholeSeconds)
        return (CivilDate(daysSince1970: local.day), local.second)
    }

    /// Returns the instant at which clocks in the zone show a local time. For a skipped time, this is the first instant after the gap; for a
    /// time that occurs twice, it is the first occurrence.
    package func instant(ofLocal day: CivilDate, _ time: TimeOfDay) -> Date {
        Date(wholeSeconds: instant(ofLocal: day.daysSince1970 * 86_400 + time.secondOfDay))
    }

    /// Returns the first instant after a date at which clocks show a time of day.
    package func next(_ time: TimeOfDay, after date: Date) -> Date {
        var day = local(of: date).day
        while instant(ofLocal: day, time) <= date { day = CivilDate(daysSince1970: day.daysSince1970 + 1) }
        return instant(ofLocal: day, time)
    }

    /// Returns the first instant after a date at which a day starts.
    package func startOfDay(after date: Date) -> Date { Date(wholeSeconds: startOfDay(after: date.wholeSeconds)) }
}

// The same functions in seconds since 1970. Local times are counted as if they were in UTC.
extension TimeZoneRules {
    /// Returns the day, counted from 1970, and the second of the day that the clocks show.
    func local(of instant: Int) -> (day: Int, second: Int) {
        let local = instant + stretch(at: instant).offset
        let second = (local % 86_400 + 86_400) % 86_400
        return ((local - second) / 86_400, second)
    }

    func instant(ofLocal local: Int) -> Int {
        var near = stretch(at: local - 2 * 86_400)
        return instant(ofLocal: local, near: &near)
    }

    /// Returns the instants for a series of local times.
    ///
    /// - Parameter near: The stretch at which the search starts; it is looked up again only if it does not fit. Clocks
    ///   change twice a year, so the days of a week mostly share a stretch.
    func instant(ofLocal local: Int, near: inout Stretch) -> Int {
        // Every offset is smaller than two days.
        let early = local - 2 * 86_400
        if early < near.start || early >= near.end { near = stretch(at: early) }
        var stretch = near
        // The first stretch that does not end before its clocks show the time either contains it or begins right after
        // it was skipped.
        while local - stretch.offset >= stretch.end { stretch = self.stretch(at: stretch.end) }
        return max(stretch.start, local - stretch.offset)
    }

    func startOfDay(after instant: Int) -> Int {
        // Clocks that are set back over midnight show the start of the next day twice; the second time, that day has
        // already begun.
        var day = local(of: instant).day + 1
        while self.instant(ofLocal: day * 86_400) <= instant { day += 1 }
        return self.instant(ofLocal: day * 86_400)
    }
}

extension Date {
    init(wholeSeconds: Int) { self.init(timeIntervalSince1970: Double(wholeSeconds)) }

    /// The seconds since 1970, rounded down and clamped to the years 1970 to 9999.
    var wholeSeconds: Int { seconds(.down) }

    /// Returns the seconds since 1970, rounded and clamped to the years 1970 to 9999.
    func seconds(_ rule: FloatingPointRoundingRule) -> Int {
        let seconds = timeIntervalSince1970.rounded(rule)
        // NaN is not above 0, so it becomes 0.
        return seconds > 0 ? Int(min(seconds, 253_402_300_799)) : 0
    }
}

/// The time zones that are available to an agenda.
package struct TimeZones: Hashable, Sendable {
    /// The zone of the machine.
    package let machine: TimeZoneRules
    /// The requested zones that exist, by name.
    package let named: [String: TimeZoneRules]
    /// The names of all requested zones, whether they exist or not.
    package let asked: Set<String>
    /// The name of the machine's zone; nil if it has none.
    package let machineName: String?
    /// The files that could not be read, with the reason, one per line.
    package let faults: [String]

    package init(
        machine: TimeZoneRules, machineName: String? = nil, named: [String: TimeZoneRules], asked: Set<String>,
        faults: [String] = []
    ) {
        self.machine = machine
        self.machineName = machineName
        self.named = named
        self.asked = asked
        self.faults = faults
    }
}
