package import BrokerLink
internal import Glibc
package import NodePorts
package import TimerEngine

/// Notifies systemd in datagrams to `NOTIFY_SOCKET`; see sd_notify(3) for the protocol.
///
/// The loop feeds the watchdog, on the thread that drives the lamps: if that thread hangs, the watchdog is not fed.
package final class ServiceManager: EventSource, StatusDisplay {
    private let descriptor: FileDescriptor
    private let address: NotificationAddress
    /// The interval between two watchdog messages, half of the interval that systemd requires; nil if it requires none.
    private let watchdogInterval: Duration?
    private var nextWatchdogMessage = Instant(sinceEpoch: .zero)
    /// The status that was last shown; `status` is its text.
    private var shown: NodeStatus?
    private var status: String?
    /// A remark to add to the status, such as why the lamps are simulated; nil for none.
    package var remark: String? {
        didSet { if let shown { show(shown) } }
    }
    /// Messages that did not fit into systemd's socket buffer; they are retried, because systemd waits for `READY=1`.
    private var unsent: [String] = []
    private var nextRetry: Instant?

    /// Connects to the service manager that the environment names, or nil if there is none.
    ///
    /// - Parameter environment: `NOTIFY_SOCKET`, a path or, after an `@`, an abstract name; `WATCHDOG_USEC`; and
    ///   `WATCHDOG_PID`, the process that the watchdog is meant for.
    /// - Throws: ``SystemError`` if a service manager is named but no socket can be created.
    package init?(environment: [String: String]) throws(SystemError) {
        guard let address = environment["NOTIFY_SOCKET"].flatMap({ NotificationAddress($0) }) else { return nil }
        self.address = address
        descriptor = try NotificationAddress.makeSocket()
        watchdogInterval = Self.watchdogInterval(environment)
    }

    private static func watchdogInterval(_ environment: [String: String]) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        if let process = environment["WATCHDOG_PID"], process != String(getpid()) { return nil }
        return .microseconds(microseconds) / 2
    }

    // MARK: - The watchdog

    package var interests: [Interest] { [] }

    /// When the watchdog must be fed again or unsent messages are retried; nil if neither applies.
    package var nextInstant: Instant? {
        [watchdogInterval == nil ? nil : nextWatchdogMessage, nextRetry].compactMap { $0 }.min()
    }

    /// Feeds the watchdog when due, and retries unsent messages.
    package func takeEvents(ready: [Interest], at now: Instant) -> [Never] {
        if let watchdogInterval, nextWatchdogMessage <= now {
            nextWatchdogMessage = now + watchdogInterval
            // If this message is lost, the next one makes up for it.
            _ = send("WATCHDOG=1")
        }
        while let text = unsent.first, send(text) { unsent.removeFirst() }
        nextRetry = unsent.isEmpty ? nil : now + .milliseconds(100)
        return []
    }

    // MARK: - What is shown

    /// Sends the mode, the time and the remark if they changed: `STATUS=warning, 1:30 left of Talk`.
    package func show(_ status: NodeStatus) {
        shown = status
        let left = status.remaining == 0 ? "0" : TimerEngine.timerDisplay(of: status.remaining)
        let text = "\(status.mode.name), \(left) left of \(status.timer)" + (remark.map { "; \($0)" } ?? "")
        guard text != self.status else { return }
        self.status = text
        // A newer status replaces one that is still unsent.
        unsent.removeAll { $0.hasPrefix("STATUS=") }
        sendReliably("STATUS=\(text)")
    }

    /// Announces that the node is ready or stopping.
    package func announce(_ announcement: Announcement) {
        switch announcement {
        case .ready: sendReliably("READY=1")
        case .stopping: sendReliably("STOPPING=1")
        }
    }

    /// Sends a message that must arrive, in order: now or, if there is no room, later.
    private func sendReliably(_ text: String) {
        guard !unsent.isEmpty || !send(text) else { return }
        unsent.append(text)
        // As soon as possible, which is after the current loop iteration.
        nextRetry = nextRetry ?? Instant(sinceEpoch: .zero)
    }

    /// Sends a datagram without blocking, so that the lamps never wait. Returns false if it must be sent again; other
    /// errors are ignored, because a service manager that is gone needs no messages.
    private func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        // SAFETY: the call reads the bytes and the address, and keeps no pointer.
        let count = unsafe address.with { address, length in
            unsafe sendto(
                descriptor.number, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), address, length)
        }
        return count >= 0 || ![EAGAIN, ENOBUFS, ENOMEM, EINTR].contains(errno)
    }
}
