internal import CLinux
internal import FoundationEssentials
internal import Glibc
package import IoTNode
package import TimerEngine

/// The machine's clocks: instants count from its boot (`CLOCK_BOOTTIME`), so that they outlive the process.
package final class BootClock: NodeClock {
    /// The kernel's id of this boot; empty where it is hidden, which no saved state ever matches.
    package let boot: String
    /// The deadline of a wait; none where the process had no descriptor left, and then waits go by `poll`'s timeout.
    private let timer = FileDescriptor(
        owning: timerfd_create(CLOCK_BOOTTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC)))
    /// What the timer is set to; nil where it is not.
    private var setDeadline: TimerEngine.Instant?
    /// How long a wait is where the kernel refuses to wait for the descriptors.
    private static let emergencyWait: Duration = .milliseconds(100)

    /// The machine's clock.
    package init() {
        let id = try? File.read("/proc/sys/kernel/random/boot_id", upTo: 64)
        boot = String(decoding: id ?? [], as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// One reading of both clocks.
    package var now: Moment {
        Moment(
            instant: TimerEngine.Instant(sinceEpoch: Self.read(CLOCK_BOOTTIME)),
            date: Date(timeIntervalSince1970: Self.read(CLOCK_REALTIME).inSeconds))
    }

    /// Sleeps in `poll`, with the deadline as a timer descriptor beside the others.
    ///
    /// The timeout of `poll` and `ppoll` will not do: the kernel lets it be late by a thousandth of its length, so that
    /// each second would come up to a millisecond late. It is what is left where there is no timer.
    package func wait(for interests: [Interest], until deadline: TimerEngine.Instant?) -> [Interest] {
        let timeout = setTimer(deadline) ? nil : deadline.map { now.instant.duration(to: $0) }
        var descriptors: [pollfd] = []
        descriptors.reserveCapacity(interests.count + 1)
        for interest in interests {
            descriptors.append(pollfd(fd: interest.descriptor, events: Self.pollEvents(interest.events), revents: 0))
        }
        // A number below zero, of a timer that there is none of, is passed over.
        descriptors.append(pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0))
        // SAFETY: the call reads and fills the array, and keeps no pointer.
        let count = unsafe poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(timeout))
        if count < 0, errno != EINTR { return waitBlindly(for: interests, until: deadline) }
        guard count > 0 else { return [] }
        return zip(interests, descriptors).compactMap { interest, descriptor in
            Self.readiness(descriptor.revents, of: interest)
        }
    }

    /// The kernel has no memory to wait for the descriptors, or allows fewer of them: waits a moment and has each one
    /// looked at, since a node that spins, or hears of no signal any more, is worse.
    private func waitBlindly(for interests: [Interest], until deadline: TimerEngine.Instant?) -> [Interest] {
        let left = deadline.map { now.instant.duration(to: $0) } ?? Self.emergencyWait
        var time = timespec(min(max(.zero, left), Self.emergencyWait))
        // SAFETY: the call reads the struct and keeps no pointer. Cut short by a signal, it was a shorter wait.
        _ = unsafe nanosleep(&time, nil)
        return interests
    }

    /// Sleeps for 20 µs, to which the kernel adds up to 50 µs of its own.
    package func rest() {
        var time = timespec(.microseconds(20))
        // SAFETY: the call reads the struct and keeps no pointer. Cut short by a signal, it was a shorter rest.
        _ = unsafe nanosleep(&time, nil)
    }

    /// A timeout as `poll` takes it: -1 for none, and never less than is left.
    private static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        return Int32(min(max(0, (timeout / .milliseconds(1)).rounded(.up)), Double(Int32.max)))
    }

    /// How long the machine has been suspended since its boot: what `CLOCK_BOOTTIME` is ahead of `CLOCK_MONOTONIC`.
    package static var timeSuspended: Duration {
        // In this order what passes between the two readings can be told from a suspension by its sign.
        let bootTime = read(CLOCK_BOOTTIME)
        return max(.zero, bootTime - read(CLOCK_MONOTONIC))
    }

    /// Sets the timer, or takes it back; either way it has not expired any more. Returns whether it does its work.
    private func setTimer(_ deadline: TimerEngine.Instant?) -> Bool {
        // One that has expired since is still to be read.
        guard deadline != setDeadline else { return true }
        // A time of zero would take the timer back.
        var time = itimerspec()
        if let deadline { time.it_value = timespec(max(.nanoseconds(1), deadline.sinceEpoch)) }
        // SAFETY: the call reads the struct and keeps no pointer.
        let isSet = unsafe timerfd_settime(timer.number, Int32(TFD_TIMER_ABSTIME), &time, nil) == 0
        // A timer that could not be taken back would wake once more, for nothing.
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

    /// An error or a hang-up makes a descriptor ready for all it was watched for: the next call on it tells.
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
    /// A duration for a system call.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
