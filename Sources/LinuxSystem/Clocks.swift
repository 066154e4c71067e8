package import BrokerLink
internal import CLinux
internal import Calendar
package import FoundationEssentials
internal import Glibc
internal import Synchronization
package import TimerEngine
package import TimerProtocol

/// The system clocks. Instants count from boot (`CLOCK_BOOTTIME`), so they stay valid when the process restarts.
package final class BootClock: NodeClock {
    /// The kernel's id of this boot; empty if it is hidden. No saved state matches an empty id.
    package let boot: String
    /// Implements the deadline of a wait. If the process had no descriptor left, there is no timer, and waits use the
    /// timeout of `poll`.
    private let timer = FileDescriptor(
        owning: timerfd_create(CLOCK_BOOTTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC)))
    /// The instant that the timer is set to; nil if it is not set.
    private var setDeadline: Instant?
    /// How long to wait if the kernel refuses to poll the descriptors.
    private static let fallbackWait: Duration = .milliseconds(100)

    package init() {
        let id = try? File.read("/proc/sys/kernel/random/boot_id", upTo: 64)
        boot = String(decoding: id ?? [], as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// The current instant; any thread may call this.
    package static var bootTime: Instant { Instant(sinceEpoch: read(CLOCK_BOOTTIME)) }

    package var now: Moment {
        Moment(
            instant: Self.bootTime,
            date: Date(timeIntervalSince1970: Self.read(CLOCK_REALTIME).inSeconds))
    }

    /// Sleeps in `poll`. The deadline is a timerfd among the descriptors.
    ///
    /// The timeout of `poll` and `ppoll` is not precise enough: the kernel may delay it by a thousandth of its length,
    /// so each second would come up to a millisecond late. It is only used if there is no timerfd.
    package func wait(for interests: [Interest], until deadline: Instant?) -> [Interest] {
        let timeout = setTimer(deadline) ? nil : deadline.map { now.instant.duration(to: $0) }
        var descriptors: [pollfd] = []
        descriptors.reserveCapacity(interests.count + 1)
        for interest in interests {
            descriptors.append(pollfd(fd: interest.descriptor, events: Self.pollEvents(interest.events), revents: 0))
        }
        // `poll` skips a negative descriptor, which means that there is no timer.
        descriptors.append(pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0))
        // SAFETY: the call reads and fills the array, and keeps no pointer.
        let count = unsafe poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(timeout))
        if count < 0, errno != EINTR { return sleepAndReportAll(for: interests, until: deadline) }
        guard count > 0 else { return [] }
        return zip(interests, descriptors).compactMap { interest, descriptor in
            Self.readiness(descriptor.revents, of: interest)
        }
    }

    /// Used if the kernel has no memory to poll, or allows fewer descriptors: sleeps a moment and reports every
    /// descriptor as ready. The alternatives would be worse: a node that spins, or one that never sees a signal.
    private func sleepAndReportAll(for interests: [Interest], until deadline: Instant?) -> [Interest] {
        let left = deadline.map { now.instant.duration(to: $0) } ?? Self.fallbackWait
        var time = timespec(min(max(.zero, left), Self.fallbackWait))
        // SAFETY: the call reads the struct and keeps no pointer. A signal only shortens the wait.
        _ = unsafe nanosleep(&time, nil)
        return interests
    }

    /// Sleeps for 20 µs; the kernel adds up to 50 µs.
    package func yieldBriefly() {
        var time = timespec(.microseconds(20))
        // SAFETY: the call reads the struct and keeps no pointer. A signal only shortens the rest.
        _ = unsafe nanosleep(&time, nil)
    }

    /// Returns the timeout for `poll` in milliseconds, rounded up; -1 for none.
    private static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        return Int32(min(max(0, (timeout / .milliseconds(1)).rounded(.up)), Double(Int32.max)))
    }

    /// How long the machine has been suspended since boot: the difference between `CLOCK_BOOTTIME` and
    /// `CLOCK_MONOTONIC`.
    package static var timeSuspended: Duration {
        // In this order, the time between the two readings makes the difference negative, so that it is not mistaken
        // for a suspension.
        let bootTime = read(CLOCK_BOOTTIME)
        return max(.zero, bootTime - read(CLOCK_MONOTONIC))
    }

    /// Sets or disarms the timer, which also clears an expiration. Returns whether the call succeeded.
    private func setTimer(_ deadline: Instant?) -> Bool {
        // The same deadline: if the timer has expired, it must stay readable.
        guard deadline != setDeadline else { return true }
        // A time of zero would disarm the timer.
        var time = itimerspec()
        if let deadline { time.it_value = timespec(max(.nanoseconds(1), deadline.sinceEpoch)) }
        // SAFETY: the call reads the struct and keeps no pointer.
        let isSet = unsafe timerfd_settime(timer.number, Int32(TFD_TIMER_ABSTIME), &time, nil) == 0
        // A timer that could not be disarmed causes one needless wake-up.
        if isSet { setDeadline = deadline }
        return isSet
    }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        // SAFETY: the call fills the struct and keeps no pointer; it cannot fail for these two clocks.
        _ = unsafe clock_gettime(clock, &time)
        return Duration(secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
    }

    private static func pollEvents(_ events: Interest.Events) -> Int16 {
        Int16((events.contains(.read) ? POLLIN : 0) | (events.contains(.write) ? POLLOUT : 0))
    }

    /// An error or a hang-up makes a descriptor ready for everything that it was watched for; the next call on it
    /// reports the error.
    private static func readiness(_ found: Int16, of interest: Interest) -> Interest? {
        guard found != 0 else { return nil }
        let found = Int32(found)
        guard found & (POLLERR | POLLHUP | POLLNVAL) == 0 else { return interest }
        var events: Interest.Events = []
        if found & POLLIN != 0 { events.insert(.read) }
        if found & POLLOUT != 0 { events.insert(.write) }
        return Interest(descriptor: interest.descriptor, events: events)
    }
}

extension timespec {
    /// The duration as a system call argument.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}

/// Reports when the wall clock is set: manually, or by the first synchronisation after boot.
package final class WallClockSource: EventSource {
    private let timer: FileDescriptor

    /// Watches `CLOCK_REALTIME`.
    ///
    /// - Throws: ``SystemError`` if a system call fails.
    package init() throws(SystemError) {
        let number = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        guard number >= 0 else { throw SystemError(call: "timerfd_create", code: errno) }
        timer = FileDescriptor(owning: number)
        interests = [Interest(descriptor: number, events: .read)]
        guard arm() else { throw SystemError(call: "timerfd_settime", code: errno) }
    }

    /// Readable when the clock was set.
    package let interests: [Interest]

    package func takeEvents(ready: [Interest], at now: Instant) -> [Void] {
        guard !ready.isEmpty else { return [] }
        var expirations: UInt64 = 0
        // SAFETY: the call fills the number and keeps no pointer.
        let count = unsafe read(timer.number, &expirations, MemoryLayout<UInt64>.size)
        // ECANCELED means that the clock was set.
        guard count < 0, errno == ECANCELED else { return [] }
        // This cannot fail: the same call succeeded in `init`.
        _ = arm()
        return [()]
    }

    /// Sets the timer to a date that never comes; setting the clock cancels it. Returns whether the timer is set.
    private func arm() -> Bool {
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        // SAFETY: the call reads the struct and keeps no pointer. ECANCELED means that the clock was set just now; the
        // timer is armed anyway, and later readings of the clock return the new time.
        return unsafe timerfd_settime(timer.number, flags, &never, nil) == 0 || errno == ECANCELED
    }
}

/// Formats and reads dates and times of day in the local time zone of this process.
package enum LocalTime {
    /// Returns the time of day of a date, such as `14:05:09`.
    package static func text(_ date: Date) -> String {
        guard let fields = unsafe fields(of: date) else { return "" }
        let numbers = unsafe [fields.tm_hour, fields.tm_min, fields.tm_sec]
        return numbers.map(twoDigits).joined(separator: ":")
    }

    /// The zones read so far, by name.
    private static let zones = Mutex<[String: TimeZoneRules]>([:])

    /// Returns the time of day of a date in a zone such as `Europe/Berlin`. Uses the local zone if `zone` is nil or the
    /// system has no such zone.
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

    /// Returns the day and the time of a date as in ISO 8601, but with a space: `2026-11-20 14:05:09`.
    package static func dayAndTime(_ date: Date) -> String {
        guard let fields = unsafe fields(of: date) else { return "" }
        let (year, month, day) = unsafe (Int(fields.tm_year) + 1900, fields.tm_mon + 1, fields.tm_mday)
        return "\(year)-\(twoDigits(month))-\(twoDigits(day)) \(text(date))"
    }

    /// Returns the local day of a date, and the seconds since its midnight by the clock on the wall.
    package static func dayAndSecond(_ date: Date) -> (day: CivilDate, second: Int) {
        let day = CivilDate(dayAndTime(date).prefix(10)) ?? CivilDate(daysSince1970: 0)
        return (day, text(date).split(separator: ":").compactMap { Int($0) }.reduce(0) { $0 * 60 + $1 })
    }

    /// Returns the date of a local day and time; nil if it is before 1970.
    package static func date(_ day: CivilDate, _ time: TimeOfDay) -> Date? {
        var fields = unsafe tm()
        unsafe fields.tm_year = Int32(day.year - 1900)
        unsafe fields.tm_mon = Int32(day.month - 1)
        unsafe fields.tm_mday = Int32(day.day)
        unsafe fields.tm_hour = Int32(time.hour)
        unsafe fields.tm_min = Int32(time.minute)
        // The system determines whether daylight saving time applies.
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
