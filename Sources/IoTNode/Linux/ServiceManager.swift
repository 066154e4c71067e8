internal import Glibc
public import TimerEngine

/// What systemd is told of the node, in datagrams to `NOTIFY_SOCKET`; see sd_notify(3) for the protocol.
///
/// The watchdog is fed by the loop, so by the one thread that drives the lamps: when that hangs, nobody feeds it.
public final class ServiceManager: EventSource, StatusDisplay {
    private let descriptor: FileDescriptor
    private var address: sockaddr_un
    private let addressLength: socklen_t
    /// How often the watchdog is fed: twice as often as it asks for; nil where it does not ask.
    private let feeding: Duration?
    private var nextFeeding = TimerEngine.Instant(sinceEpoch: .zero)
    private var status: String?

    /// The manager that the environment names; nil where there is none.
    ///
    /// - Parameter environment: `NOTIFY_SOCKET`, a path or, after an `@`, an abstract name; `WATCHDOG_USEC`, and
    ///   `WATCHDOG_PID`, which names the process that it is meant for.
    public init?(environment: [String: String]) {
        guard let name = environment["NOTIFY_SOCKET"], let first = name.first, "/@".contains(first) else { return nil }
        var bytes = Array(name.utf8)
        if first == "@" { bytes[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let offset = MemoryLayout<sa_family_t>.size
        guard bytes.count < MemoryLayout<sockaddr_un>.size - offset else { return nil }
        // SAFETY: the bytes fit behind the family, as was checked; what is behind them stays zero.
        unsafe withUnsafeMutableBytes(of: &address) { unsafe $0[offset...].copyBytes(from: bytes) }
        self.address = address
        addressLength = socklen_t(offset + bytes.count)

        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return nil }
        descriptor = FileDescriptor(owning: number)
        feeding = Self.feeding(environment)
    }

    private static func feeding(_ environment: [String: String]) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        if let process = environment["WATCHDOG_PID"], process != String(getpid()) { return nil }
        return .microseconds(microseconds) / 2
    }

    // MARK: - The watchdog

    /// Nothing to wait for but time.
    public var interests: [Interest] { [] }

    /// When the watchdog wants to be fed again; nil where there is none.
    public var nextInstant: TimerEngine.Instant? { feeding == nil ? nil : nextFeeding }

    /// Feeds the watchdog when it is time to.
    public func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard let feeding, nextFeeding <= now else { return [] }
        nextFeeding = now + feeding
        send("WATCHDOG=1")
        return []
    }

    // MARK: - What is shown

    /// Tells mode and time, where these are others: `STATUS=warning, 1:30 left of Talk`.
    public func show(_ status: NodeStatus) {
        let left = status.remaining == 0 ? "0" : TimerEngine.timerDisplay(of: status.remaining)
        let text = "\(status.mode.name), \(left) left of \(status.timer)"
        guard text != self.status else { return }
        self.status = text
        send("STATUS=\(text)")
    }

    /// Tells that the node is ready, or stopping.
    public func announce(_ announcement: Announcement) {
        switch announcement {
        case .ready: send("READY=1")
        case .stopping: send("STOPPING=1")
        }
    }

    /// Sends a datagram without waiting: the lamps do not wait for anybody, and a manager that is gone misses nothing.
    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        let length = addressLength
        // SAFETY: the call reads the bytes and the address, which is longer than `length`, and keeps no pointer.
        _ = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(
                    descriptor.number, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL),
                    address, length)
            }
        }
    }
}
