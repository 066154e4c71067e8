package import FoundationEssentials
internal import Glibc

/// Times of day as people here read them.
package enum LocalTime {
    /// The hour, minute and second of a date, in the zone of this process: `14:05:09`.
    package static func text(_ date: Date) -> String {
        var seconds = time_t(min(max(0, date.timeIntervalSince1970), 253_402_300_799))
        var fields = unsafe tm()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe localtime_r(&seconds, &fields) != nil else { return "" }
        let numbers = unsafe [fields.tm_hour, fields.tm_min, fields.tm_sec]
        return numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
