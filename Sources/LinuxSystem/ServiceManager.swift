internal import Glibc
package import IoTNode
package import TimerEngine

/// What systemd is told of the node, in datagrams to `NOTIFY_SOCKET`; see sd_notify(3) for the protocol.
///
/// The watchdog is fed by the loop, so by the one thread that drives the lamps: when that hangs, nobody feeds it.
package final class ServiceManager: EventSource, StatusDisplay {
    private let descriptor: FileDescriptor
    private var address: sockaddr_un
    private let addressLength: socklen_t
    /// How often the watchdog is fed: twice as often as it asks for; nil where it does not ask.
    private let feeding: Duration?
    private var nextFeeding = TimerEngine.Instant(sinceEpoch: .zero)
    private var status: String?
    /// What the manager had no room for, and is sent again: it waits for `READY=1`.
    private var unsent: [String] = []
    private var nextSending: TimerEngine.Instant?

    /// The manager that the environment names; nil where there is none.
    ///
    /// - Parameter environment: `NOTIFY_SOCKET`, a path or, after an `@`, an abstract name; `WATCHDOG_USEC`, and
    ///   `WATCHDOG_PID`, which names the process that it is meant for.
    /// - Throws: ``SystemError`` where there is one, and the system refuses to talk to it.
    package init?(environment: [String: String]) throws(SystemError) {
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
        guard number >= 0 else { throw SystemError(call: "socket", code: errno) }
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
    package var interests: [Interest] { [] }

    /// When the watchdog wants to be fed again, or what was not sent is tried again; nil where there is neither.
    package var nextInstant: TimerEngine.Instant? {
        [feeding == nil ? nil : nextFeeding, nextSending].compactMap { $0 }.min()
    }

    /// Feeds the watchdog when it is time to.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        if let feeding, nextFeeding <= now {
            nextFeeding = now + feeding
            // One that is missed is made good by the next.
            _ = send("WATCHDOG=1")
        }
        while let text = unsent.first, send(text) { unsent.removeFirst() }
        nextSending = unsent.isEmpty ? nil : now + .milliseconds(100)
        return []
    }

    // MARK: - What is shown

    /// Tells mode and time, where these are others: `STATUS=warning, 1:30 left of Talk`.
    package func show(_ status: NodeStatus) {
        let left = status.remaining == 0 ? "0" : TimerEngine.timerDisplay(of: status.remaining)
        let text = "\(status.mode.name), \(left) left of \(status.timer)"
        guard text != self.status else { return }
        self.status = text
        // The next second's takes the place of one that did not get through.
        unsent.removeAll { $0.hasPrefix("STATUS=") }
        tell("STATUS=\(text)")
    }

    /// Tells that the node is ready, or stopping.
    package func announce(_ announcement: Announcement) {
        switch announcement {
        case .ready: tell("READY=1")
        case .stopping: tell("STOPPING=1")
        }
    }

    /// Sends what has to arrive, in order: now, or once there is room for it.
    private func tell(_ text: String) {
        guard !unsent.isEmpty || !send(text) else { return }
        unsent.append(text)
        // At once, which is after the present turn.
        nextSending = nextSending ?? TimerEngine.Instant(sinceEpoch: .zero)
    }

    /// Sends a datagram without waiting: the lamps do not wait for anybody. Returns whether that is over and done with; a
    /// manager that is gone misses nothing.
    private func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let length = addressLength
        // SAFETY: the call reads the bytes and the address, which is longer than `length`, and keeps no pointer.
        let count = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(
                    descriptor.number, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL),
                    address, length)
            }
        }
        return count >= 0 || ![EAGAIN, ENOBUFS, ENOMEM, EINTR].contains(errno)
    }
}
