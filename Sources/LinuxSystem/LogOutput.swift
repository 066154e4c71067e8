package import BrokerLink
internal import FoundationEssentials
internal import Glibc
package import NodeConfiguration
package import TimerEngine
internal import TimerProtocol

/// The log: one line per event, on standard error.
///
/// Lines that would block are dropped and counted; once there is room again, one line reports their number.
package final class LogOutput: EventSource {
    /// Formats a level and a message as a line, including the newline.
    package var format: (LogLevel, String) -> String
    private let output: NonblockingOutput
    private var droppedLines = 0
    private var reason = ""

    package init(descriptor: Int32 = STDERR_FILENO, format: @escaping (LogLevel, String) -> String) {
        output = NonblockingOutput(descriptor)
        self.format = format
    }

    /// Writes a line, or counts it as dropped.
    package func write(_ level: LogLevel, _ message: String) {
        // Dropped lines are reported before the next line is written.
        guard reportDroppedLines(), output.write(format(level, message)) else { return dropLine() }
    }

    /// The output, only while text waits for it to become writable.
    package var interests: [Interest] {
        output.watched.map { [Interest(descriptor: $0, events: .write)] } ?? []
    }

    /// Writes pending text.
    package func takeEvents(ready: [Interest], at now: Instant) -> [Never] {
        if !ready.isEmpty { _ = reportDroppedLines() }
        return []
    }

    private func dropLine() {
        if droppedLines == 0 {
            reason = output.error == EAGAIN ? "standard error was not read" : SystemError.text(output.error)
        }
        droppedLines += 1
    }

    /// Reports dropped lines, after the rest of a partially written line; returns whether nothing is pending.
    private func reportDroppedLines() -> Bool {
        guard droppedLines > 0 else { return output.flush() }
        let lines = droppedLines == 1 ? "1 log line was" : "\(droppedLines) log lines were"
        guard output.write(format(.warning, "\(lines) dropped: \(reason)")) else { return false }
        droppedLines = 0
        return true
    }
}

/// Writes text to an inherited descriptor without blocking: a reader that stalls the output, with Ctrl-S or by not
/// reading a pipe, must not stall the lamps.
///
/// Setting O_NONBLOCK on the inherited descriptor would affect the open file description, which is shared with the
/// shell and other programs. So a pipe or a terminal is reopened for this object only, and a socket gets MSG_DONTWAIT
/// on each call.
package final class NonblockingOutput {
    /// How writes are kept from blocking.
    private enum Mode {
        /// Not needed: a file never blocks.
        case file
        /// A flag on each call.
        case socket
        /// O_NONBLOCK on a separate descriptor.
        case reopened
        /// Calling `poll` before each write, if reopening is not permitted, as with another user's terminal.
        case polled
    }

    private let descriptor: Int32
    private let mode: Mode
    /// The rest of partially written text.
    private var pending: ArraySlice<UInt8> = []
    /// The error number of the last failed attempt; EAGAIN means that there was no room.
    private(set) var error: Int32 = 0

    /// Creates an output for an open descriptor, which must stay open for the lifetime of the process.
    package init(_ descriptor: Int32) {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        let format = unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard format != S_IFSOCK, format != S_IFREG else {
            mode = format == S_IFREG ? .file : .socket
            self.descriptor = descriptor
            return
        }
        let copy = unsafe open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        mode = copy >= 0 ? .reopened : .polled
        self.descriptor = copy >= 0 ? copy : descriptor
    }

    deinit {
        if mode == .reopened { close(descriptor) }
    }

    /// The descriptor to watch for writability; nil while no text is pending.
    package var watched: Int32? { error == EAGAIN ? descriptor : nil }

    /// Writes a string. If only a part fits, the rest is written before the next string.
    ///
    /// - Returns: whether the string was accepted; if not, no part of it will be written.
    package func write(_ text: String) -> Bool {
        guard flush() else { return false }
        pending = Array(text.utf8)[...]
        let count = pending.count
        guard !flush(), pending.count == count else { return true }
        pending = []
        return false
    }

    /// Writes the rest of the pending text; returns whether nothing is left.
    package func flush() -> Bool {
        error = 0
        while !pending.isEmpty {
            let (count, error) = writeOnce()
            if count > 0 {
                pending = pending.dropFirst(count)
            } else if error != EINTR {
                self.error = error
                return false
            }
        }
        return true
    }

    private func writeOnce() -> (count: Int, error: Int32) {
        if mode == .polled, let error = blockingError { return (0, error) }
        // SAFETY: the calls read at most as many bytes as the slice has.
        let count = unsafe pending.withUnsafeBytes { bytes in
            switch mode {
            case .file, .reopened: unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            case .socket:
                unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            // A writable pipe accepts at least PIPE_BUF bytes without blocking.
            case .polled: unsafe Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Int(PIPE_BUF)))
            }
        }
        return (count, count < 0 ? errno : 0)
    }

    /// The error number that explains why a write might block now; nil if it would not.
    private var blockingError: Int32? {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // SAFETY: the call reads and fills the struct and keeps no pointer.
        let ready = unsafe poll(&output, 1, 0)
        return ready > 0 ? nil : ready < 0 ? errno : EAGAIN
    }
}

/// Standard error as a target for `print`.
package struct StandardError: TextOutputStream {
    package init() {}

    /// Writes a string; if that fails, the string is lost, because there is nowhere else to report it.
    package mutating func write(_ text: String) {
        try? FileDescriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Prints the reasons for a failure, one per line, with an error priority if the output goes to journald.
    package static func say(_ fault: some CustomStringConvertible) {
        let isJournal = Journal.reads(standardErrorOf: ProcessInfo.processInfo.environment)
        var errors = Self()
        for line in fault.description.split(separator: "\n") {
            // The text may come from the network and contain control characters for the terminal.
            errors.write((isJournal ? "<\(LogLevel.error.priority)>" : "") + String(line).terminalText + "\n")
        }
    }
}
