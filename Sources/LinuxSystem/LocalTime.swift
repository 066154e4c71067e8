internal import Calendar
package import FoundationEssentials
internal import Glibc
internal import Synchronization
package import TimerProtocol

/// Dates and times of day as people here read them, in the zone of this process.
package enum LocalTime {
    /// The hour, minute and second of a date: `14:05:09`.
    package static func text(_ date: Date) -> String {
        guard let fields = unsafe fields(of: date) else { return "" }
        let numbers = unsafe [fields.tm_hour, fields.tm_min, fields.tm_sec]
        return numbers.map(twoDigits).joined(separator: ":")
    }

    /// The zones that were read, by their names.
    private static let zones = Mutex<[String: TimeZoneRules]>([:])

    /// The hour, minute and second of a date in a zone such as `Europe/Berlin`; in the zone of this process without one,
    /// and where the system has no such zone.
    package static func text(_ date: Date, zone: String?) -> String {
        guard let zone, let rules = rules(of: zone) else { return text(date) }
        let second = rules.local(of: date).secondOfDay
        return [second / 3600, second / 60 % 60, second % 60].map { twoDigits(Int32($0)) }.joined(separator: ":")
    }

    private static func rules(of zone: String) -> TimeZoneRules? {
        zones.withLock { zones in
            if let known = zones[zone] { return known }
            let system = SystemTimeZones(environment: ProcessInfo.processInfo.environment)
            let read = (try? system.bytes(of: zone)).flatMap { try? TimeZoneRules(tzif: $0) }
            zones[zone] = read
            return read
        }
    }

    /// The day too, as ISO 8601 has it, with a space: `2026-11-20 14:05:09`.
    package static func dayAndTime(_ date: Date) -> String {
        guard let fields = unsafe fields(of: date) else { return "" }
        let (year, month, day) = unsafe (Int(fields.tm_year) + 1900, fields.tm_mon + 1, fields.tm_mday)
        return "\(year)-\(twoDigits(month))-\(twoDigits(day)) \(text(date))"
    }

    /// The date when a clock here shows a time of a day; nil where that is before 1970.
    package static func date(_ day: CivilDate, _ time: TimeOfDay) -> Date? {
        var fields = unsafe tm()
        unsafe fields.tm_year = Int32(day.year - 1900)
        unsafe fields.tm_mon = Int32(day.month - 1)
        unsafe fields.tm_mday = Int32(day.day)
        unsafe fields.tm_hour = Int32(time.hour)
        unsafe fields.tm_min = Int32(time.minute)
        // The system knows whether it is summer.
        unsafe fields.tm_isdst = -1
        // SAFETY: the call reads and changes the struct, and keeps no pointer.
        let seconds = unsafe mktime(&fields)
        return seconds < 0 ? nil : Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    private static func fields(of date: Date) -> tm? {
        var seconds = time_t(min(max(0, date.timeIntervalSince1970), 253_402_300_799))
        var fields = unsafe tm()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe localtime_r(&seconds, &fields) != nil else { return nil }
        return unsafe fields
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
