internal import CLinux
internal import FoundationEssentials
internal import Glibc
public import TimerEngine

/// The machine's clocks: instants count from its boot (`CLOCK_BOOTTIME`), so that they outlive the process.
public final class BootClock: NodeClock {
    /// The kernel's id of this boot; empty where it is hidden, which no saved state ever matches.
    public let boot: String

    /// The machine's clock.
    public init() {
        let id = try? FileStore(directory: "/proc/sys/kernel/random", name: "boot_id").load()
        boot = String(decoding: id ?? [], as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// One reading of both clocks.
    public var now: Moment {
        Moment(
            instant: TimerEngine.Instant(sinceEpoch: Self.read(CLOCK_BOOTTIME)),
            date: Date(timeIntervalSince1970: Self.read(CLOCK_REALTIME).inSeconds))
    }

    /// Sleeps in `ppoll`.
    public func wait(for interests: [Interest], until deadline: TimerEngine.Instant?) -> [Interest] {
        var descriptors = interests.map {
            pollfd(fd: $0.descriptor, events: Self.pollEvents($0.events), revents: 0)
        }
        let ready = Self.poll(&descriptors, for: deadline.map { max(.zero, now.instant.duration(to: $0)) })
        guard ready > 0 else { return [] }
        return zip(interests, descriptors).compactMap { interest, descriptor in
            Self.readiness(descriptor.revents, of: interest)
        }
    }

    /// How long the machine has been suspended since its boot: what `CLOCK_BOOTTIME` is ahead of `CLOCK_MONOTONIC`.
    static var timeSuspended: Duration {
        // In this order what passes between the two readings can be told from a suspension by its sign.
        let bootTime = read(CLOCK_BOOTTIME)
        return max(.zero, bootTime - read(CLOCK_MONOTONIC))
    }

    private static func poll(_ descriptors: inout [pollfd], for timeout: Duration?) -> Int32 {
        let count = UInt(descriptors.count)
        return unsafe descriptors.withUnsafeMutableBufferPointer { descriptors in
            // SAFETY: both pointers are used during the call alone.
            guard let timeout else { return unsafe clinux_ppoll(descriptors.baseAddress, count, nil) }
            var time = timespec(timeout)
            return unsafe clinux_ppoll(descriptors.baseAddress, count, &time)
        }
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
