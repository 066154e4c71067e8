package import FoundationEssentials
package import TimerProtocol

/// A time zone: how far its clocks are ahead of UTC, at any instant from 1970 to 9999.
///
/// It is made of the bytes of a TZif file (RFC 8536), which the edge reads. Foundation's zones need ICU, which is too
/// large. Before 1970 and after 9999 the answers are those of the nearest instant in between.
package struct TimeZoneRules: Hashable, Sendable {
    /// A time without a change of the offset: from `start` until just before `end`, in seconds since 1970.
    struct Stretch: Hashable {
        let start: Int
        let end: Int
        let offset: Int
    }

    /// Where each stretch of the table starts, ascending; the first is longer ago than any transition.
    private let starts: [Int]
    /// The offset of each stretch.
    private let offsets: [Int]
    /// The rule for the instants from ``tableEnd`` on; nil where the last offset is for ever.
    private let rule: DaylightRule?
    private let tableEnd: Int

    /// Before all transitions.
    static let longAgo = Int.min / 2
    /// The rule is applied in advance up to this year, since looking up is faster than computing. What comes later is
    /// computed when it is asked for.
    private static let lastTableYear = 2100

    /// UTC.
    package static let utc = TimeZoneRules(offset: 0)

    /// A zone that has always had the same offset, in seconds ahead of UTC.
    init(offset: Int) { self.init(starts: [Self.longAgo], offsets: [offset], footer: .fixed(offset)) }

    /// A zone with a table of transitions.
    ///
    /// - Parameters:
    ///   - starts: where the stretches start, ascending, ``longAgo`` first.
    ///   - offsets: the offset of each.
    ///   - footer: what holds from the last transition on; nil where its offset stays.
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

    /// The stretch that an instant is in.
    func stretch(at instant: Int) -> Stretch {
        if let rule, instant >= tableEnd { return rule.stretch(at: instant) }
        // The first stretch starts before everything, so that there is always one that starts no later.
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= instant { low = middle } else { high = middle }
        }
        return Stretch(start: starts[low], end: high < starts.count ? starts[high] : tableEnd, offset: offsets[low])
    }
}

// MARK: - Questions

extension TimeZoneRules {
    /// How many seconds the zone's clocks are ahead of UTC.
    package func offset(at date: Date) -> Int { stretch(at: date.wholeSeconds).offset }

    /// The day and the second of it that the zone's clocks show.
    package func local(of date: Date) -> (day: CivilDate, secondOfDay: Int) {
        let local = local(of: date.wholeSeconds)
        return (CivilDate(daysSince1970: local.day), local.second)
    }

    /// When the zone's clocks show a time. A time that is skipped counts as the first instant after the gap; of one that
    /// comes twice the first counts.
    package func instant(ofLocal day: CivilDate, _ time: TimeOfDay) -> Date {
        Date(wholeSeconds: instant(ofLocal: day.daysSince1970 * 86_400 + time.secondOfDay))
    }

    /// The first begin of a day after a date.
    package func startOfDay(after date: Date) -> Date { Date(wholeSeconds: startOfDay(after: date.wholeSeconds)) }
}

// The same in seconds since 1970, those of local times as if they were in UTC.
extension TimeZoneRules {
    /// The day since 1970 and the second of it that the clocks show.
    func local(of instant: Int) -> (day: Int, second: Int) {
        let local = instant + stretch(at: instant).offset
        let second = (local % 86_400 + 86_400) % 86_400
        return ((local - second) / 86_400, second)
    }

    func instant(ofLocal local: Int) -> Int {
        var near = stretch(at: local - 2 * 86_400)
        return instant(ofLocal: local, near: &near)
    }

    /// The same for one local time after another.
    ///
    /// - Parameter near: a stretch, which is searched for again only where it is not the one to begin with. Clocks are
    ///   set twice a year, so that days of the same week mostly share it.
    func instant(ofLocal local: Int, near: inout Stretch) -> Int {
        // No offset is as much as two days.
        let early = local - 2 * 86_400
        if early < near.start || early >= near.end { near = stretch(at: early) }
        var stretch = near
        // The first stretch that does not end before the clocks show the time has it, or begins after it was skipped.
        while local - stretch.offset >= stretch.end { stretch = self.stretch(at: stretch.end) }
        return max(stretch.start, local - stretch.offset)
    }

    func startOfDay(after instant: Int) -> Int {
        // Clocks that are set back over midnight show the next day's begin a second time; that day has begun then.
        var day = local(of: instant).day + 1
        while self.instant(ofLocal: day * 86_400) <= instant { day += 1 }
        return self.instant(ofLocal: day * 86_400)
    }
}

extension Date {
    init(wholeSeconds: Int) { self.init(timeIntervalSince1970: Double(wholeSeconds)) }

    /// The seconds since 1970, rounded down; the nearest in the years 1970 to 9999.
    var wholeSeconds: Int { seconds(.down) }

    /// The seconds since 1970 in the years 1970 to 9999, rounded.
    func seconds(_ rule: FloatingPointRoundingRule) -> Int {
        let seconds = timeIntervalSince1970.rounded(rule)
        // A date that is no number is neither above nor below.
        return seconds > 0 ? Int(min(seconds, 253_402_300_799)) : 0
    }
}

/// The zones that an agenda may have.
package struct TimeZones: Hashable, Sendable {
    /// The machine's own.
    package let machine: TimeZoneRules
    /// Those that were asked for and that there are, by their names.
    package let named: [String: TimeZoneRules]
    /// Those that were asked for, whether there are such zones or not.
    package let asked: Set<String>
    /// The machine's zone has this name; nil where it has none.
    package let machineName: String?
    /// What could not be read, and why, a line each.
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
